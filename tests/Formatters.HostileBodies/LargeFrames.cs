using System;

namespace Formatters.HostileBodies;

// Records of many members, and of large structures, which contain themselves: the frames of what reads and writes them are large.

[Serializable]
[MessageContract(Formats = StackCases.Generated)]
public sealed partial class Wide2
{
    [MessageMember(1)] public Wide2? Next;
    [MessageMember(2)] public string Name = "";
}

[Serializable]
public abstract class Members60
{
    [MessageMember(3)] public int M3; [MessageMember(4)] public decimal M4; [MessageMember(5)] public decimal M5;
    [MessageMember(6)] public decimal M6; [MessageMember(7)] public decimal M7; [MessageMember(8)] public string? M8;
    [MessageMember(9)] public string? M9; [MessageMember(10)] public string? M10; [MessageMember(11)] public string? M11;
    [MessageMember(12)] public DateTime M12; [MessageMember(13)] public DateTime M13; [MessageMember(14)] public DateTime M14;
    [MessageMember(15)] public DateTime M15; [MessageMember(16)] public long M16; [MessageMember(17)] public long M17;
    [MessageMember(18)] public long M18; [MessageMember(19)] public long M19; [MessageMember(20)] public Guid? M20;
    [MessageMember(21)] public Guid? M21; [MessageMember(22)] public Guid? M22; [MessageMember(23)] public Guid? M23;
    [MessageMember(24)] public int M24; [MessageMember(25)] public int M25; [MessageMember(26)] public int M26; [MessageMember(27)] public int M27;
    [MessageMember(28)] public decimal M28; [MessageMember(29)] public decimal M29; [MessageMember(30)] public decimal M30;
    [MessageMember(31)] public decimal M31; [MessageMember(32)] public string? M32; [MessageMember(33)] public string? M33;
    [MessageMember(34)] public string? M34; [MessageMember(35)] public string? M35; [MessageMember(36)] public DateTime M36;
    [MessageMember(37)] public DateTime M37; [MessageMember(38)] public DateTime M38; [MessageMember(39)] public DateTime M39;
    [MessageMember(40)] public long M40; [MessageMember(41)] public long M41; [MessageMember(42)] public long M42;
    [MessageMember(43)] public long M43; [MessageMember(44)] public Guid? M44; [MessageMember(45)] public Guid? M45;
    [MessageMember(46)] public Guid? M46; [MessageMember(47)] public Guid? M47; [MessageMember(48)] public int M48;
    [MessageMember(49)] public int M49; [MessageMember(50)] public int M50; [MessageMember(51)] public int M51;
    [MessageMember(52)] public decimal M52; [MessageMember(53)] public decimal M53; [MessageMember(54)] public decimal M54;
    [MessageMember(55)] public decimal M55; [MessageMember(56)] public string? M56; [MessageMember(57)] public string? M57;
    [MessageMember(58)] public string? M58; [MessageMember(59)] public string? M59; [MessageMember(60)] public DateTime M60;
}

[Serializable]
[MessageContract(Formats = StackCases.Generated)]
public sealed partial class Wide60 : Members60
{
    [MessageMember(1)] public Wide60? Next;
    [MessageMember(2)] public string Name = "";
}

[Serializable]
public abstract class Members120 : Members60
{
    [MessageMember(61)] public DateTime M61; [MessageMember(62)] public DateTime M62; [MessageMember(63)] public DateTime M63;
    [MessageMember(64)] public long M64; [MessageMember(65)] public long M65; [MessageMember(66)] public long M66;
    [MessageMember(67)] public long M67; [MessageMember(68)] public Guid? M68; [MessageMember(69)] public Guid? M69;
    [MessageMember(70)] public Guid? M70; [MessageMember(71)] public Guid? M71; [MessageMember(72)] public int M72;
    [MessageMember(73)] public int M73; [MessageMember(74)] public int M74; [MessageMember(75)] public int M75;
    [MessageMember(76)] public decimal M76; [MessageMember(77)] public decimal M77; [MessageMember(78)] public decimal M78;
    [MessageMember(79)] public decimal M79; [MessageMember(80)] public string? M80; [MessageMember(81)] public string? M81;
    [MessageMember(82)] public string? M82; [MessageMember(83)] public string? M83; [MessageMember(84)] public DateTime M84;
    [MessageMember(85)] public DateTime M85; [MessageMember(86)] public DateTime M86; [MessageMember(87)] public DateTime M87;
    [MessageMember(88)] public long M88; [MessageMember(89)] public long M89; [MessageMember(90)] public long M90;
    [MessageMember(91)] public long M91; [MessageMember(92)] public Guid? M92; [MessageMember(93)] public Guid? M93;
    [MessageMember(94)] public Guid? M94; [MessageMember(95)] public Guid? M95; [MessageMember(96)] public int M96;
    [MessageMember(97)] public int M97; [MessageMember(98)] public int M98; [MessageMember(99)] public int M99;
    [MessageMember(100)] public decimal M100; [MessageMember(101)] public decimal M101; [MessageMember(102)] public decimal M102;
    [MessageMember(103)] public decimal M103; [MessageMember(104)] public string? M104; [MessageMember(105)] public string? M105;
    [MessageMember(106)] public string? M106; [MessageMember(107)] public string? M107; [MessageMember(108)] public DateTime M108;
    [MessageMember(109)] public DateTime M109; [MessageMember(110)] public DateTime M110; [MessageMember(111)] public DateTime M111;
    [MessageMember(112)] public long M112; [MessageMember(113)] public long M113; [MessageMember(114)] public long M114;
    [MessageMember(115)] public long M115; [MessageMember(116)] public Guid? M116; [MessageMember(117)] public Guid? M117;
    [MessageMember(118)] public Guid? M118; [MessageMember(119)] public Guid? M119; [MessageMember(120)] public int M120;
}

[Serializable]
[MessageContract(Formats = StackCases.Generated)]
public sealed partial class Wide120 : Members120
{
    [MessageMember(1)] public Wide120? Next;
    [MessageMember(2)] public string Name = "";
}

[Serializable]
public abstract class Members240 : Members120
{
    [MessageMember(121)] public int M121; [MessageMember(122)] public int M122; [MessageMember(123)] public int M123;
    [MessageMember(124)] public decimal M124; [MessageMember(125)] public decimal M125; [MessageMember(126)] public decimal M126;
    [MessageMember(127)] public decimal M127; [MessageMember(128)] public string? M128; [MessageMember(129)] public string? M129;
    [MessageMember(130)] public string? M130; [MessageMember(131)] public string? M131; [MessageMember(132)] public DateTime M132;
    [MessageMember(133)] public DateTime M133; [MessageMember(134)] public DateTime M134; [MessageMember(135)] public DateTime M135;
    [MessageMember(136)] public long M136; [MessageMember(137)] public long M137; [MessageMember(138)] public long M138;
    [MessageMember(139)] public long M139; [MessageMember(140)] public Guid? M140; [MessageMember(141)] public Guid? M141;
    [MessageMember(142)] public Guid? M142; [MessageMember(143)] public Guid? M143; [MessageMember(144)] public int M144;
    [MessageMember(145)] public int M145; [MessageMember(146)] public int M146; [MessageMember(147)] public int M147;
    [MessageMember(148)] public decimal M148; [MessageMember(149)] public decimal M149; [MessageMember(150)] public decimal M150;
    [MessageMember(151)] public decimal M151; [MessageMember(152)] public string? M152; [MessageMember(153)] public string? M153;
    [MessageMember(154)] public string? M154; [MessageMember(155)] public string? M155; [MessageMember(156)] public DateTime M156;
    [MessageMember(157)] public DateTime M157; [MessageMember(158)] public DateTime M158; [MessageMember(159)] public DateTime M159;
    [MessageMember(160)] public long M160; [MessageMember(161)] public long M161; [MessageMember(162)] public long M162;
    [MessageMember(163)] public long M163; [MessageMember(164)] public Guid? M164; [MessageMember(165)] public Guid? M165;
    [MessageMember(166)] public Guid? M166; [MessageMember(167)] public Guid? M167; [MessageMember(168)] public int M168;
    [MessageMember(169)] public int M169; [MessageMember(170)] public int M170; [MessageMember(171)] public int M171;
    [MessageMember(172)] public decimal M172; [MessageMember(173)] public decimal M173; [MessageMember(174)] public decimal M174;
    [MessageMember(175)] public decimal M175; [MessageMember(176)] public string? M176; [MessageMember(177)] public string? M177;
    [MessageMember(178)] public string? M178; [MessageMember(179)] public string? M179; [MessageMember(180)] public DateTime M180;
    [MessageMember(181)] public DateTime M181; [MessageMember(182)] public DateTime M182; [MessageMember(183)] public DateTime M183;
    [MessageMember(184)] public long M184; [MessageMember(185)] public long M185; [MessageMember(186)] public long M186;
    [MessageMember(187)] public long M187; [MessageMember(188)] public Guid? M188; [MessageMember(189)] public Guid? M189;
    [MessageMember(190)] public Guid? M190; [MessageMember(191)] public Guid? M191; [MessageMember(192)] public int M192;
    [MessageMember(193)] public int M193; [MessageMember(194)] public int M194; [MessageMember(195)] public int M195;
    [MessageMember(196)] public decimal M196; [MessageMember(197)] public decimal M197; [MessageMember(198)] public decimal M198;
    [MessageMember(199)] public decimal M199; [MessageMember(200)] public string? M200; [MessageMember(201)] public string? M201;
    [MessageMember(202)] public string? M202; [MessageMember(203)] public string? M203; [MessageMember(204)] public DateTime M204;
    [MessageMember(205)] public DateTime M205; [MessageMember(206)] public DateTime M206; [MessageMember(207)] public DateTime M207;
    [MessageMember(208)] public long M208; [MessageMember(209)] public long M209; [MessageMember(210)] public long M210;
    [MessageMember(211)] public long M211; [MessageMember(212)] public Guid? M212; [MessageMember(213)] public Guid? M213;
    [MessageMember(214)] public Guid? M214; [MessageMember(215)] public Guid? M215; [MessageMember(216)] public int M216;
    [MessageMember(217)] public int M217; [MessageMember(218)] public int M218; [MessageMember(219)] public int M219;
    [MessageMember(220)] public decimal M220; [MessageMember(221)] public decimal M221; [MessageMember(222)] public decimal M222;
    [MessageMember(223)] public decimal M223; [MessageMember(224)] public string? M224; [MessageMember(225)] public string? M225;
    [MessageMember(226)] public string? M226; [MessageMember(227)] public string? M227; [MessageMember(228)] public DateTime M228;
    [MessageMember(229)] public DateTime M229; [MessageMember(230)] public DateTime M230; [MessageMember(231)] public DateTime M231;
    [MessageMember(232)] public long M232; [MessageMember(233)] public long M233; [MessageMember(234)] public long M234;
    [MessageMember(235)] public long M235; [MessageMember(236)] public Guid? M236; [MessageMember(237)] public Guid? M237;
    [MessageMember(238)] public Guid? M238; [MessageMember(239)] public Guid? M239; [MessageMember(240)] public int M240;
}

[Serializable]
[MessageContract(Formats = StackCases.Generated)]
public sealed partial class Wide240 : Members240
{
    [MessageMember(1)] public Wide240? Next;
    [MessageMember(2)] public string Name = "";
}

[Serializable]
public abstract class Members500 : Members240
{
    [MessageMember(241)] public int M241; [MessageMember(242)] public int M242; [MessageMember(243)] public int M243;
    [MessageMember(244)] public decimal M244; [MessageMember(245)] public decimal M245; [MessageMember(246)] public decimal M246;
    [MessageMember(247)] public decimal M247; [MessageMember(248)] public string? M248; [MessageMember(249)] public string? M249;
    [MessageMember(250)] public string? M250; [MessageMember(251)] public string? M251; [MessageMember(252)] public DateTime M252;
    [MessageMember(253)] public DateTime M253; [MessageMember(254)] public DateTime M254; [MessageMember(255)] public DateTime M255;
    [MessageMember(256)] public long M256; [MessageMember(257)] public long M257; [MessageMember(258)] public long M258;
    [MessageMember(259)] public long M259; [MessageMember(260)] public Guid? M260; [MessageMember(261)] public Guid? M261;
    [MessageMember(262)] public Guid? M262; [MessageMember(263)] public Guid? M263; [MessageMember(264)] public int M264;
    [MessageMember(265)] public int M265; [MessageMember(266)] public int M266; [MessageMember(267)] public int M267;
    [MessageMember(268)] public decimal M268; [MessageMember(269)] public decimal M269; [MessageMember(270)] public decimal M270;
    [MessageMember(271)] public decimal M271; [MessageMember(272)] public string? M272; [MessageMember(273)] public string? M273;
    [MessageMember(274)] public string? M274; [MessageMember(275)] public string? M275; [MessageMember(276)] public DateTime M276;
    [MessageMember(277)] public DateTime M277; [MessageMember(278)] public DateTime M278; [MessageMember(279)] public DateTime M279;
    [MessageMember(280)] public long M280; [MessageMember(281)] public long M281; [MessageMember(282)] public long M282;
    [MessageMember(283)] public long M283; [MessageMember(284)] public Guid? M284; [MessageMember(285)] public Guid? M285;
    [MessageMember(286)] public Guid? M286; [MessageMember(287)] public Guid? M287; [MessageMember(288)] public int M288;
    [MessageMember(289)] public int M289; [MessageMember(290)] public int M290; [MessageMember(291)] public int M291;
    [MessageMember(292)] public decimal M292; [MessageMember(293)] public decimal M293; [MessageMember(294)] public decimal M294;
    [MessageMember(295)] public decimal M295; [MessageMember(296)] public string? M296; [MessageMember(297)] public string? M297;
    [MessageMember(298)] public string? M298; [MessageMember(299)] public string? M299; [MessageMember(300)] public DateTime M300;
    [MessageMember(301)] public DateTime M301; [MessageMember(302)] public DateTime M302; [MessageMember(303)] public DateTime M303;
    [MessageMember(304)] public long M304; [MessageMember(305)] public long M305; [MessageMember(306)] public long M306;
    [MessageMember(307)] public long M307; [MessageMember(308)] public Guid? M308; [MessageMember(309)] public Guid? M309;
    [MessageMember(310)] public Guid? M310; [MessageMember(311)] public Guid? M311; [MessageMember(312)] public int M312;
    [MessageMember(313)] public int M313; [MessageMember(314)] public int M314; [MessageMember(315)] public int M315;
    [MessageMember(316)] public decimal M316; [MessageMember(317)] public decimal M317; [MessageMember(318)] public decimal M318;
    [MessageMember(319)] public decimal M319; [MessageMember(320)] public string? M320; [MessageMember(321)] public string? M321;
    [MessageMember(322)] public string? M322; [MessageMember(323)] public string? M323; [MessageMember(324)] public DateTime M324;
    [MessageMember(325)] public DateTime M325; [MessageMember(326)] public DateTime M326; [MessageMember(327)] public DateTime M327;
    [MessageMember(328)] public long M328; [MessageMember(329)] public long M329; [MessageMember(330)] public long M330;
    [MessageMember(331)] public long M331; [MessageMember(332)] public Guid? M332; [MessageMember(333)] public Guid? M333;
    [MessageMember(334)] public Guid? M334; [MessageMember(335)] public Guid? M335; [MessageMember(336)] public int M336;
    [MessageMember(337)] public int M337; [MessageMember(338)] public int M338; [MessageMember(339)] public int M339;
    [MessageMember(340)] public decimal M340; [MessageMember(341)] public decimal M341; [MessageMember(342)] public decimal M342;
    [MessageMember(343)] public decimal M343; [MessageMember(344)] public string? M344; [MessageMember(345)] public string? M345;
    [MessageMember(346)] public string? M346; [MessageMember(347)] public string? M347; [MessageMember(348)] public DateTime M348;
    [MessageMember(349)] public DateTime M349; [MessageMember(350)] public DateTime M350; [MessageMember(351)] public DateTime M351;
    [MessageMember(352)] public long M352; [MessageMember(353)] public long M353; [MessageMember(354)] public long M354;
    [MessageMember(355)] public long M355; [MessageMember(356)] public Guid? M356; [MessageMember(357)] public Guid? M357;
    [MessageMember(358)] public Guid? M358; [MessageMember(359)] public Guid? M359; [MessageMember(360)] public int M360;
    [MessageMember(361)] public int M361; [MessageMember(362)] public int M362; [MessageMember(363)] public int M363;
    [MessageMember(364)] public decimal M364; [MessageMember(365)] public decimal M365; [MessageMember(366)] public decimal M366;
    [MessageMember(367)] public decimal M367; [MessageMember(368)] public string? M368; [MessageMember(369)] public string? M369;
    [MessageMember(370)] public string? M370; [MessageMember(371)] public string? M371; [MessageMember(372)] public DateTime M372;
    [MessageMember(373)] public DateTime M373; [MessageMember(374)] public DateTime M374; [MessageMember(375)] public DateTime M375;
    [MessageMember(376)] public long M376; [MessageMember(377)] public long M377; [MessageMember(378)] public long M378;
    [MessageMember(379)] public long M379; [MessageMember(380)] public Guid? M380; [MessageMember(381)] public Guid? M381;
    [MessageMember(382)] public Guid? M382; [MessageMember(383)] public Guid? M383; [MessageMember(384)] public int M384;
    [MessageMember(385)] public int M385; [MessageMember(386)] public int M386; [MessageMember(387)] public int M387;
    [MessageMember(388)] public decimal M388; [MessageMember(389)] public decimal M389; [MessageMember(390)] public decimal M390;
    [MessageMember(391)] public decimal M391; [MessageMember(392)] public string? M392; [MessageMember(393)] public string? M393;
    [MessageMember(394)] public string? M394; [MessageMember(395)] public string? M395; [MessageMember(396)] public DateTime M396;
    [MessageMember(397)] public DateTime M397; [MessageMember(398)] public DateTime M398; [MessageMember(399)] public DateTime M399;
    [MessageMember(400)] public long M400; [MessageMember(401)] public long M401; [MessageMember(402)] public long M402;
    [MessageMember(403)] public long M403; [MessageMember(404)] public Guid? M404; [MessageMember(405)] public Guid? M405;
    [MessageMember(406)] public Guid? M406; [MessageMember(407)] public Guid? M407; [MessageMember(408)] public int M408;
    [MessageMember(409)] public int M409; [MessageMember(410)] public int M410; [MessageMember(411)] public int M411;
    [MessageMember(412)] public decimal M412; [MessageMember(413)] public decimal M413; [MessageMember(414)] public decimal M414;
    [MessageMember(415)] public decimal M415; [MessageMember(416)] public string? M416; [MessageMember(417)] public string? M417;
    [MessageMember(418)] public string? M418; [MessageMember(419)] public string? M419; [MessageMember(420)] public DateTime M420;
    [MessageMember(421)] public DateTime M421; [MessageMember(422)] public DateTime M422; [MessageMember(423)] public DateTime M423;
    [MessageMember(424)] public long M424; [MessageMember(425)] public long M425; [MessageMember(426)] public long M426;
    [MessageMember(427)] public long M427; [MessageMember(428)] public Guid? M428; [MessageMember(429)] public Guid? M429;
    [MessageMember(430)] public Guid? M430; [MessageMember(431)] public Guid? M431; [MessageMember(432)] public int M432;
    [MessageMember(433)] public int M433; [MessageMember(434)] public int M434; [MessageMember(435)] public int M435;
    [MessageMember(436)] public decimal M436; [MessageMember(437)] public decimal M437; [MessageMember(438)] public decimal M438;
    [MessageMember(439)] public decimal M439; [MessageMember(440)] public string? M440; [MessageMember(441)] public string? M441;
    [MessageMember(442)] public string? M442; [MessageMember(443)] public string? M443; [MessageMember(444)] public DateTime M444;
    [MessageMember(445)] public DateTime M445; [MessageMember(446)] public DateTime M446; [MessageMember(447)] public DateTime M447;
    [MessageMember(448)] public long M448; [MessageMember(449)] public long M449; [MessageMember(450)] public long M450;
    [MessageMember(451)] public long M451; [MessageMember(452)] public Guid? M452; [MessageMember(453)] public Guid? M453;
    [MessageMember(454)] public Guid? M454; [MessageMember(455)] public Guid? M455; [MessageMember(456)] public int M456;
    [MessageMember(457)] public int M457; [MessageMember(458)] public int M458; [MessageMember(459)] public int M459;
    [MessageMember(460)] public decimal M460; [MessageMember(461)] public decimal M461; [MessageMember(462)] public decimal M462;
    [MessageMember(463)] public decimal M463; [MessageMember(464)] public string? M464; [MessageMember(465)] public string? M465;
    [MessageMember(466)] public string? M466; [MessageMember(467)] public string? M467; [MessageMember(468)] public DateTime M468;
    [MessageMember(469)] public DateTime M469; [MessageMember(470)] public DateTime M470; [MessageMember(471)] public DateTime M471;
    [MessageMember(472)] public long M472; [MessageMember(473)] public long M473; [MessageMember(474)] public long M474;
    [MessageMember(475)] public long M475; [MessageMember(476)] public Guid? M476; [MessageMember(477)] public Guid? M477;
    [MessageMember(478)] public Guid? M478; [MessageMember(479)] public Guid? M479; [MessageMember(480)] public int M480;
    [MessageMember(481)] public int M481; [MessageMember(482)] public int M482; [MessageMember(483)] public int M483;
    [MessageMember(484)] public decimal M484; [MessageMember(485)] public decimal M485; [MessageMember(486)] public decimal M486;
    [MessageMember(487)] public decimal M487; [MessageMember(488)] public string? M488; [MessageMember(489)] public string? M489;
    [MessageMember(490)] public string? M490; [MessageMember(491)] public string? M491; [MessageMember(492)] public DateTime M492;
    [MessageMember(493)] public DateTime M493; [MessageMember(494)] public DateTime M494; [MessageMember(495)] public DateTime M495;
    [MessageMember(496)] public long M496; [MessageMember(497)] public long M497; [MessageMember(498)] public long M498;
    [MessageMember(499)] public long M499; [MessageMember(500)] public Guid? M500;
}

[Serializable]
[MessageContract(Formats = StackCases.Generated & ~ContractFormats.Versioned)]
public sealed partial class Wide500 : Members500
{
    [MessageMember(1)] public Wide500? Next;
    [MessageMember(2)] public string Name = "";
}

[Serializable]
public struct Quarter
{
    [MessageMember(1)] public decimal A; [MessageMember(2)] public decimal B; [MessageMember(3)] public decimal C;
    [MessageMember(4)] public decimal D; [MessageMember(5)] public decimal E; [MessageMember(6)] public decimal F;
    [MessageMember(7)] public decimal G; [MessageMember(8)] public decimal H; [MessageMember(9)] public decimal I;
    [MessageMember(10)] public decimal J; [MessageMember(11)] public decimal K; [MessageMember(12)] public decimal L;
    [MessageMember(13)] public decimal M; [MessageMember(14)] public decimal N; [MessageMember(15)] public decimal O;
    [MessageMember(16)] public decimal P;
}

/// <summary>A structure of 1 KiB.</summary>
[Serializable]
public struct Block
{
    [MessageMember(1)] public Quarter A; [MessageMember(2)] public Quarter B; [MessageMember(3)] public Quarter C;
    [MessageMember(4)] public Quarter D;
}

[Serializable]
[MessageContract(Formats = StackCases.Generated)]
public sealed partial class Blocks
{
    [MessageMember(1)] public Blocks? Next;
    [MessageMember(2)] public string Name = "";
    [MessageMember(3)] public Block A; [MessageMember(4)] public Block B; [MessageMember(5)] public Block C; [MessageMember(6)] public Block D;
    [MessageMember(7)] public Block E; [MessageMember(8)] public Block F; [MessageMember(9)] public Block G; [MessageMember(10)] public Block H;
    [MessageMember(11)] public Block I; [MessageMember(12)] public Block J; [MessageMember(13)] public Block K; [MessageMember(14)] public Block L;
    [MessageMember(15)] public Block M; [MessageMember(16)] public Block N; [MessageMember(17)] public Block O; [MessageMember(18)] public Block P;
    [MessageMember(19)] public Block Q; [MessageMember(20)] public Block R;
}

/// <summary>Contains itself by way of a structure of 4 KiB.</summary>
[Serializable]
[MessageContract(Formats = StackCases.Generated)]
public sealed partial class Hull
{
    [MessageMember(1)] public Cargo Cargo;
    [MessageMember(2)] public string Name = "";
}

[Serializable]
public struct Cargo
{
    [MessageMember(1)] public Hull? Next;
    [MessageMember(2)] public Block A; [MessageMember(3)] public Block B; [MessageMember(4)] public Block C; [MessageMember(5)] public Block D;
}
