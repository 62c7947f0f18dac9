using System;
using System.Collections;
using System.Messaging;
using System.Threading;

namespace Shop
{
	[Serializable]
	public class Order
	{
		public int Number;
		public string Customer;
		public decimal Amount;
		public ArrayList Lines = new ArrayList();
	}

	[Serializable]
	public class RushOrder : Order
	{
		public DateTime Due;
	}

	/// <summary>
	/// Takes orders from one queue, in transactions, and sends an invoice for each to another.
	/// </summary>
	public class OrderService
	{
		private const string OrderPath = @".\Private$\ShopOrders";
		private const string InvoicePath = @".\Private$\ShopInvoices";

		private MessageQueue orders;
		private MessageQueue invoices;
		private ManualResetEvent done = new ManualResetEvent(false);

		public static int Main(string[] args)
		{
			OrderService service = new OrderService();
			try
			{
				service.Open();
				service.Place();
				service.Bill();
				service.Print();
				return 0;
			}
			catch (MessageQueueException e)
			{
				Console.WriteLine("MSMQ error {0}: {1}", e.MessageQueueErrorCode, e.Message);
				return 1;
			}
			finally
			{
				service.Close();
			}
		}

		private void Open()
		{
			orders = OpenQueue(OrderPath, "Orders of the shop");
			orders.Formatter = new BinaryMessageFormatter();
			orders.MessageReadPropertyFilter.Priority = true;
			orders.MessageReadPropertyFilter.SentTime = true;

			invoices = OpenQueue(InvoicePath, "Invoices to print");
			invoices.Formatter = new XmlMessageFormatter(new Type[] { typeof(string) });
			invoices.MessageReadPropertyFilter.CorrelationId = true;
			orders.Purge();
			invoices.Purge();
		}

		private static MessageQueue OpenQueue(string path, string label)
		{
			if (MessageQueue.Exists(path))
				return new MessageQueue(path);
			MessageQueue queue = MessageQueue.Create(path, true);
			queue.Label = label;
			return queue;
		}

		private void Place()
		{
			MessageQueueTransaction transaction = new MessageQueueTransaction();
			transaction.Begin();
			for (int i = 1; i <= 3; i++)
			{
				Order order = i == 2 ? new RushOrder() : new Order();
				order.Number = i;
				order.Customer = "Customer " + i;
				order.Amount = 19.90m * i;
				order.Lines.Add("Line 1");
				if (order is RushOrder)
					((RushOrder)order).Due = new DateTime(2004, 11, 5);
				Message message = new Message(order);
				message.Label = "Order " + i;
				message.Formatter = new BinaryMessageFormatter();
				message.Priority = order is RushOrder ? MessagePriority.High : MessagePriority.Normal;
				orders.Send(message, transaction);
			}
			transaction.Commit();
			Console.WriteLine("{0} orders placed in {1}", orders.GetAllMessages().Length, orders.Label);
		}

		private void Bill()
		{
			while (true)
			{
				MessageQueueTransaction transaction = new MessageQueueTransaction();
				transaction.Begin();
				try
				{
					Message message = orders.Receive(TimeSpan.FromSeconds(0), transaction);
					Order order = (Order)message.Body;
					Message invoice = new Message(String.Format("{0}: {1} pays {2:F2}", message.Label, order.Customer, order.Amount));
					invoice.CorrelationId = message.Id;
					invoices.Send(invoice, message.Label, transaction);
					transaction.Commit();
					Console.WriteLine("{0}, {1}, {2}", message.Label, message.Priority, order.GetType().Name);
				}
				catch (MessageQueueException e)
				{
					transaction.Abort();
					if (e.MessageQueueErrorCode != MessageQueueErrorCode.IOTimeout)
						throw;
					return;
				}
			}
		}

		private void Print()
		{
			MessageEnumerator enumerator = invoices.GetMessageEnumerator2();
			int count = 0;
			while (enumerator.MoveNext())
				count++;
			enumerator.Close();

			invoices.ReceiveCompleted += new ReceiveCompletedEventHandler(OnInvoice);
			for (int i = 0; i < count; i++)
			{
				done.Reset();
				invoices.BeginReceive(TimeSpan.FromSeconds(10));
				done.WaitOne();
			}
		}

		private void OnInvoice(object source, ReceiveCompletedEventArgs asyncResult)
		{
			MessageQueue queue = (MessageQueue)source;
			Message message = queue.EndReceive(asyncResult.AsyncResult);
			Console.WriteLine("Printed: {0}", message.Body);
			done.Set();
		}

		private void Close()
		{
			if (orders != null)
				orders.Close();
			if (invoices != null)
				invoices.Close();
		}
	}
}
