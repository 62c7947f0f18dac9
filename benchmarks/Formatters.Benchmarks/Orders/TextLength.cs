namespace Formatters.Benchmarks;

/// <summary>Orders whose texts all have the same number of characters.</summary>
internal static class TextLength
{
    /// <summary>Repeats or cuts every text of an order.</summary>
    /// <param name="order">The order; it is changed. None of its texts is empty or has a surrogate pair.</param>
    /// <param name="charCount">The number of characters, at least 1.</param>
    /// <returns>The same order.</returns>
    public static OrderWithList Set(OrderWithList order, int charCount)
    {
        Set(order.ShippingAddress, charCount);
        Set(order.BillingAddress, charCount);
        foreach (LineItem item in order.LineItems)
            item.Name = Set(item.Name, charCount);
        return order;
    }

    private static void Set(Address address, int charCount)
    {
        address.Firstname = Set(address.Firstname, charCount);
        address.Lastname = Set(address.Lastname, charCount);
        address.Company = Set(address.Company, charCount);
        address.City = Set(address.City, charCount);
        address.Street = Set(address.Street, charCount);
        address.ZIPCode = Set(address.ZIPCode, charCount);
        address.Country = Set(address.Country, charCount);
        address.State = Set(address.State, charCount);
    }

    private static string Set(string text, int charCount) =>
        string.Concat(Enumerable.Repeat(text, (charCount + text.Length - 1) / text.Length))[..charCount];
}
