namespace System.Messaging;

/// <summary>Defines the error codes of MSMQ. The names and values are those of .NET Framework.</summary>
public enum MessageQueueErrorCode
{
    /// <summary>Base (0xC00E0000).</summary>
    Base = unchecked((int)0xC00E0000),

    /// <summary>Generic (0xC00E0001).</summary>
    Generic = unchecked((int)0xC00E0001),

    /// <summary>Property (0xC00E0002).</summary>
    Property = unchecked((int)0xC00E0002),

    /// <summary>Queue not found (0xC00E0003).</summary>
    QueueNotFound = unchecked((int)0xC00E0003),

    /// <summary>Queue exists (0xC00E0005).</summary>
    QueueExists = unchecked((int)0xC00E0005),

    /// <summary>Invalid parameter (0xC00E0006).</summary>
    InvalidParameter = unchecked((int)0xC00E0006),

    /// <summary>Invalid handle (0xC00E0007).</summary>
    InvalidHandle = unchecked((int)0xC00E0007),

    /// <summary>Operation canceled (0xC00E0008).</summary>
    OperationCanceled = unchecked((int)0xC00E0008),

    /// <summary>Sharing violation (0xC00E0009).</summary>
    SharingViolation = unchecked((int)0xC00E0009),

    /// <summary>Service not available (0xC00E000B).</summary>
    ServiceNotAvailable = unchecked((int)0xC00E000B),

    /// <summary>Machine not found (0xC00E000D).</summary>
    MachineNotFound = unchecked((int)0xC00E000D),

    /// <summary>Illegal sort (0xC00E0010).</summary>
    IllegalSort = unchecked((int)0xC00E0010),

    /// <summary>Illegal user (0xC00E0011).</summary>
    IllegalUser = unchecked((int)0xC00E0011),

    /// <summary>No ds (0xC00E0013).</summary>
    NoDs = unchecked((int)0xC00E0013),

    /// <summary>Illegal queue path name (0xC00E0014).</summary>
    IllegalQueuePathName = unchecked((int)0xC00E0014),

    /// <summary>Illegal property value (0xC00E0018).</summary>
    IllegalPropertyValue = unchecked((int)0xC00E0018),

    /// <summary>Illegal property vt (0xC00E0019).</summary>
    IllegalPropertyVt = unchecked((int)0xC00E0019),

    /// <summary>Buffer overflow (0xC00E001A).</summary>
    BufferOverflow = unchecked((int)0xC00E001A),

    /// <summary>Iotimeout (0xC00E001B).</summary>
    IOTimeout = unchecked((int)0xC00E001B),

    /// <summary>Illegal cursor action (0xC00E001C).</summary>
    IllegalCursorAction = unchecked((int)0xC00E001C),

    /// <summary>Message already received (0xC00E001D).</summary>
    MessageAlreadyReceived = unchecked((int)0xC00E001D),

    /// <summary>Illegal format name (0xC00E001E).</summary>
    IllegalFormatName = unchecked((int)0xC00E001E),

    /// <summary>Format name buffer too small (0xC00E001F).</summary>
    FormatNameBufferTooSmall = unchecked((int)0xC00E001F),

    /// <summary>Unsupported format name operation (0xC00E0020).</summary>
    UnsupportedFormatNameOperation = unchecked((int)0xC00E0020),

    /// <summary>Illegal security descriptor (0xC00E0021).</summary>
    IllegalSecurityDescriptor = unchecked((int)0xC00E0021),

    /// <summary>Sender id buffer too small (0xC00E0022).</summary>
    SenderIdBufferTooSmall = unchecked((int)0xC00E0022),

    /// <summary>Security descriptor buffer too small (0xC00E0023).</summary>
    SecurityDescriptorBufferTooSmall = unchecked((int)0xC00E0023),

    /// <summary>Cannot impersonate client (0xC00E0024).</summary>
    CannotImpersonateClient = unchecked((int)0xC00E0024),

    /// <summary>Access denied (0xC00E0025).</summary>
    AccessDenied = unchecked((int)0xC00E0025),

    /// <summary>Privilege not held (0xC00E0026).</summary>
    PrivilegeNotHeld = unchecked((int)0xC00E0026),

    /// <summary>Insufficient resources (0xC00E0027).</summary>
    InsufficientResources = unchecked((int)0xC00E0027),

    /// <summary>User buffer too small (0xC00E0028).</summary>
    UserBufferTooSmall = unchecked((int)0xC00E0028),

    /// <summary>Message storage failed (0xC00E002A).</summary>
    MessageStorageFailed = unchecked((int)0xC00E002A),

    /// <summary>Sender certificate buffer too small (0xC00E002B).</summary>
    SenderCertificateBufferTooSmall = unchecked((int)0xC00E002B),

    /// <summary>Invalid certificate (0xC00E002C).</summary>
    InvalidCertificate = unchecked((int)0xC00E002C),

    /// <summary>Corrupted internal certificate (0xC00E002D).</summary>
    CorruptedInternalCertificate = unchecked((int)0xC00E002D),

    /// <summary>No internal user certificate (0xC00E002F).</summary>
    NoInternalUserCertificate = unchecked((int)0xC00E002F),

    /// <summary>Corrupted security data (0xC00E0030).</summary>
    CorruptedSecurityData = unchecked((int)0xC00E0030),

    /// <summary>Corrupted personal cert store (0xC00E0031).</summary>
    CorruptedPersonalCertStore = unchecked((int)0xC00E0031),

    /// <summary>Computer does not support encryption (0xC00E0033).</summary>
    ComputerDoesNotSupportEncryption = unchecked((int)0xC00E0033),

    /// <summary>Bad security context (0xC00E0035).</summary>
    BadSecurityContext = unchecked((int)0xC00E0035),

    /// <summary>Could not get user sid (0xC00E0036).</summary>
    CouldNotGetUserSid = unchecked((int)0xC00E0036),

    /// <summary>Could not get account info (0xC00E0037).</summary>
    CouldNotGetAccountInfo = unchecked((int)0xC00E0037),

    /// <summary>Illegal criteria columns (0xC00E0038).</summary>
    IllegalCriteriaColumns = unchecked((int)0xC00E0038),

    /// <summary>Illegal property id (0xC00E0039).</summary>
    IllegalPropertyId = unchecked((int)0xC00E0039),

    /// <summary>Illegal relation (0xC00E003A).</summary>
    IllegalRelation = unchecked((int)0xC00E003A),

    /// <summary>Illegal property size (0xC00E003B).</summary>
    IllegalPropertySize = unchecked((int)0xC00E003B),

    /// <summary>Illegal restriction property id (0xC00E003C).</summary>
    IllegalRestrictionPropertyId = unchecked((int)0xC00E003C),

    /// <summary>Illegal queue properties (0xC00E003D).</summary>
    IllegalQueueProperties = unchecked((int)0xC00E003D),

    /// <summary>Property not allowed (0xC00E003E).</summary>
    PropertyNotAllowed = unchecked((int)0xC00E003E),

    /// <summary>Insufficient properties (0xC00E003F).</summary>
    InsufficientProperties = unchecked((int)0xC00E003F),

    /// <summary>Machine exists (0xC00E0040).</summary>
    MachineExists = unchecked((int)0xC00E0040),

    /// <summary>Illegal message properties (0xC00E0041).</summary>
    IllegalMessageProperties = unchecked((int)0xC00E0041),

    /// <summary>Ds is full (0xC00E0042).</summary>
    DsIsFull = unchecked((int)0xC00E0042),

    /// <summary>Ds error (0xC00E0043).</summary>
    DsError = unchecked((int)0xC00E0043),

    /// <summary>Invalid owner (0xC00E0044).</summary>
    InvalidOwner = unchecked((int)0xC00E0044),

    /// <summary>Unsupported access mode (0xC00E0045).</summary>
    UnsupportedAccessMode = unchecked((int)0xC00E0045),

    /// <summary>Result buffer too small (0xC00E0046).</summary>
    ResultBufferTooSmall = unchecked((int)0xC00E0046),

    /// <summary>Delete connected network in use (0xC00E0048).</summary>
    DeleteConnectedNetworkInUse = unchecked((int)0xC00E0048),

    /// <summary>No response from object server (0xC00E0049).</summary>
    NoResponseFromObjectServer = unchecked((int)0xC00E0049),

    /// <summary>Object server not available (0xC00E004A).</summary>
    ObjectServerNotAvailable = unchecked((int)0xC00E004A),

    /// <summary>Queue not available (0xC00E004B).</summary>
    QueueNotAvailable = unchecked((int)0xC00E004B),

    /// <summary>Dtc connect (0xC00E004C).</summary>
    DtcConnect = unchecked((int)0xC00E004C),

    /// <summary>Transaction import (0xC00E004E).</summary>
    TransactionImport = unchecked((int)0xC00E004E),

    /// <summary>Transaction usage (0xC00E0050).</summary>
    TransactionUsage = unchecked((int)0xC00E0050),

    /// <summary>Transaction sequence (0xC00E0051).</summary>
    TransactionSequence = unchecked((int)0xC00E0051),

    /// <summary>Missing connector type (0xC00E0055).</summary>
    MissingConnectorType = unchecked((int)0xC00E0055),

    /// <summary>Stale handle (0xC00E0056).</summary>
    StaleHandle = unchecked((int)0xC00E0056),

    /// <summary>Transaction enlist (0xC00E0058).</summary>
    TransactionEnlist = unchecked((int)0xC00E0058),

    /// <summary>Queue deleted (0xC00E005A).</summary>
    QueueDeleted = unchecked((int)0xC00E005A),

    /// <summary>Illegal context (0xC00E005B).</summary>
    IllegalContext = unchecked((int)0xC00E005B),

    /// <summary>Illegal sort property id (0xC00E005C).</summary>
    IllegalSortPropertyId = unchecked((int)0xC00E005C),

    /// <summary>Label buffer too small (0xC00E005E).</summary>
    LabelBufferTooSmall = unchecked((int)0xC00E005E),

    /// <summary>Mqis server empty (0xC00E005F).</summary>
    MqisServerEmpty = unchecked((int)0xC00E005F),

    /// <summary>Mqis read only mode (0xC00E0060).</summary>
    MqisReadOnlyMode = unchecked((int)0xC00E0060),

    /// <summary>Symmetric key buffer too small (0xC00E0061).</summary>
    SymmetricKeyBufferTooSmall = unchecked((int)0xC00E0061),

    /// <summary>Signature buffer too small (0xC00E0062).</summary>
    SignatureBufferTooSmall = unchecked((int)0xC00E0062),

    /// <summary>Provider name buffer too small (0xC00E0063).</summary>
    ProviderNameBufferTooSmall = unchecked((int)0xC00E0063),

    /// <summary>Illegal operation (0xC00E0064).</summary>
    IllegalOperation = unchecked((int)0xC00E0064),

    /// <summary>Write not allowed (0xC00E0065).</summary>
    WriteNotAllowed = unchecked((int)0xC00E0065),

    /// <summary>Wks cant serve client (0xC00E0066).</summary>
    WksCantServeClient = unchecked((int)0xC00E0066),

    /// <summary>Dependent client license overflow (0xC00E0067).</summary>
    DependentClientLicenseOverflow = unchecked((int)0xC00E0067),

    /// <summary>Corrupted queue was deleted (0xC00E0068).</summary>
    CorruptedQueueWasDeleted = unchecked((int)0xC00E0068),

    /// <summary>Remote machine not available (0xC00E0069).</summary>
    RemoteMachineNotAvailable = unchecked((int)0xC00E0069),

    /// <summary>Unsupported operation (0xC00E006A).</summary>
    UnsupportedOperation = unchecked((int)0xC00E006A),

    /// <summary>Encryption provider not supported (0xC00E006B).</summary>
    EncryptionProviderNotSupported = unchecked((int)0xC00E006B),

    /// <summary>Cannot set cryptographic security descriptor (0xC00E006C).</summary>
    CannotSetCryptographicSecurityDescriptor = unchecked((int)0xC00E006C),

    /// <summary>Certificate not provided (0xC00E006D).</summary>
    CertificateNotProvided = unchecked((int)0xC00E006D),

    /// <summary>Qdns property not supported (0xC00E006E).</summary>
    QDnsPropertyNotSupported = unchecked((int)0xC00E006E),

    /// <summary>Cannot create certificate store (0xC00E006F).</summary>
    CannotCreateCertificateStore = unchecked((int)0xC00E006F),

    /// <summary>Cannot open certificate store (0xC00E0070).</summary>
    CannotOpenCertificateStore = unchecked((int)0xC00E0070),

    /// <summary>Illegal enterprise operation (0xC00E0071).</summary>
    IllegalEnterpriseOperation = unchecked((int)0xC00E0071),

    /// <summary>Cannot grant add guid (0xC00E0072).</summary>
    CannotGrantAddGuid = unchecked((int)0xC00E0072),

    /// <summary>Cannot load msmq ocm (0xC00E0073).</summary>
    CannotLoadMsmqOcm = unchecked((int)0xC00E0073),

    /// <summary>No entry point msmq ocm (0xC00E0074).</summary>
    NoEntryPointMsmqOcm = unchecked((int)0xC00E0074),

    /// <summary>No msmq servers on dc (0xC00E0075).</summary>
    NoMsmqServersOnDc = unchecked((int)0xC00E0075),

    /// <summary>Cannot join domain (0xC00E0076).</summary>
    CannotJoinDomain = unchecked((int)0xC00E0076),

    /// <summary>Cannot create on global catalog (0xC00E0077).</summary>
    CannotCreateOnGlobalCatalog = unchecked((int)0xC00E0077),

    /// <summary>Guid not matching (0xC00E0078).</summary>
    GuidNotMatching = unchecked((int)0xC00E0078),

    /// <summary>Public key not found (0xC00E0079).</summary>
    PublicKeyNotFound = unchecked((int)0xC00E0079),

    /// <summary>Public key does not exist (0xC00E007A).</summary>
    PublicKeyDoesNotExist = unchecked((int)0xC00E007A),

    /// <summary>Illegal private properties (0xC00E007B).</summary>
    IllegalPrivateProperties = unchecked((int)0xC00E007B),

    /// <summary>No global catalog in domain (0xC00E007C).</summary>
    NoGlobalCatalogInDomain = unchecked((int)0xC00E007C),

    /// <summary>No msmq servers on global catalog (0xC00E007D).</summary>
    NoMsmqServersOnGlobalCatalog = unchecked((int)0xC00E007D),

    /// <summary>Cannot get distinguished name (0xC00E007E).</summary>
    CannotGetDistinguishedName = unchecked((int)0xC00E007E),

    /// <summary>Cannot hash data ex (0xC00E007F).</summary>
    CannotHashDataEx = unchecked((int)0xC00E007F),

    /// <summary>Cannot sign data ex (0xC00E0080).</summary>
    CannotSignDataEx = unchecked((int)0xC00E0080),

    /// <summary>Cannot create hash ex (0xC00E0081).</summary>
    CannotCreateHashEx = unchecked((int)0xC00E0081),

    /// <summary>Fail verify signature ex (0xC00E0082).</summary>
    FailVerifySignatureEx = unchecked((int)0xC00E0082),

    /// <summary>Message not found (0xC00E0088).</summary>
    MessageNotFound = unchecked((int)0xC00E0088),
}
