<#
.SYNOPSIS
  Installs the Puppet agent, configures it and starts it:

    install.ps1 [-PuppetServiceEnsure running|stopped] [-PuppetServiceEnable true|false|manual|mask]
                [-InstallDir DIR] [-PuppetAgentAccountUser USER] [-PuppetAgentAccountPassword PASSWORD]
                [-PuppetAgentAccountDomain DOMAIN] [-EnableLongPaths] [SECTION:SETTING=VALUE ...]

  SECTION is main, server, master, agent or user for puppet.conf, custom_attributes or extension_requests for
  csr_attributes.yaml.
#>
[CmdletBinding()]
param(
  [ValidateSet('running', 'stopped')][string] $PuppetServiceEnsure = 'running',
  [ValidateSet('true', 'false', 'manual', 'mask')][string] $PuppetServiceEnable = 'true',
  [string] $InstallDir,
  [string] $PuppetAgentAccountUser,
  [string] $PuppetAgentAccountPassword,
  [string] $PuppetAgentAccountDomain,
  [switch] $EnableLongPaths,
  [Parameter(ValueFromRemainingArguments = $true)][string[]] $Settings = @()
)
$ErrorActionPreference = 'Stop'

# settings: what the server knows
$Server = 'puppet'
$Port = '8140'
$CaCertificates = ''
# end of settings

$ArgumentPattern = '^(main|server|master|agent|user|custom_attributes|extension_requests):([^=]+)=(.*)$'
$ConfDir = Join-Path ([Environment]::GetFolderPath('CommonApplicationData')) 'PuppetLabs\puppet\etc'

function Read-Settings {
  $found = @{ Configuration = @(); CustomAttributes = @(); ExtensionRequests = @() }
  foreach ($entry in $Settings) {
    if ($entry -notmatch $ArgumentPattern) {
      throw "Unable to interpret argument: '$entry'. Expected flag or '<section>:<setting>=<value>' matching regex: '$ArgumentPattern'"
    }
    $section, $setting, $value = $Matches[1], $Matches[2], $Matches[3]
    # In YAML, a quote within quotes is written twice.
    $line = "  ${setting}: '$($value -replace "'", "''")'"
    switch ($section) {
      'custom_attributes' { $found.CustomAttributes += $line }
      'extension_requests' { $found.ExtensionRequests += $line }
      default { $found.Configuration += , @($section, $setting, $value) }
    }
  }
  return $found
}

function Get-CaCertificates {
  $blocks = [regex]::Matches($CaCertificates, '-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----')
  foreach ($block in $blocks) {
    $bytes = [Convert]::FromBase64String(($block.Groups[1].Value -replace '\s', ''))
    New-Object System.Security.Cryptography.X509Certificates.X509Certificate2 (, $bytes)
  }
}

# Trusts the CA that came with this script, and nothing else, for this one download.
function Save-Package([string] $Url, [string] $Path) {
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  $authorities = @(Get-CaCertificates)
  $before = [Net.ServicePointManager]::ServerCertificateValidationCallback
  [Net.ServicePointManager]::ServerCertificateValidationCallback = {
    param($origin, $certificate, $chain, $errors)
    if ($errors -band [Net.Security.SslPolicyErrors]::RemoteCertificateNameMismatch) { return $false }
    if ($errors -band [Net.Security.SslPolicyErrors]::RemoteCertificateNotAvailable) { return $false }
    $own = New-Object System.Security.Cryptography.X509Certificates.X509Chain
    $own.ChainPolicy.RevocationMode = 'NoCheck'
    $own.ChainPolicy.VerificationFlags = 'AllowUnknownCertificateAuthority'
    foreach ($authority in $authorities) { [void] $own.ChainPolicy.ExtraStore.Add($authority) }
    $leaf = New-Object System.Security.Cryptography.X509Certificates.X509Certificate2 $certificate
    if (-not $own.Build($leaf)) { return $false }
    $root = $own.ChainElements[$own.ChainElements.Count - 1].Certificate
    return @($authorities | Where-Object { $_.Thumbprint -eq $root.Thumbprint }).Count -gt 0
  }.GetNewClosure()
  try {
    (New-Object System.Net.WebClient).DownloadFile($Url, $Path)
  } catch [Net.WebException] {
    throw "Failed to download the Puppet Agent installer: $Url ($($_.Exception.Message)). To add it, run 'bunraku packages add FILE' on the primary."
  } finally {
    [Net.ServicePointManager]::ServerCertificateValidationCallback = $before
  }
}

function Install-Agent {
  $architecture = if ([Environment]::Is64BitOperatingSystem) { 'x64' } else { 'x86' }
  $platform = if ($architecture -eq 'x64') { 'windows-x86_64' } else { 'windows-i386' }
  $msi = Join-Path ([IO.Path]::GetTempPath()) "puppet-agent-$architecture.msi"
  $log = Join-Path ([IO.Path]::GetTempPath()) "$((Get-Date -Format s) -replace ':', '-')-puppet-install.log"
  Save-Package "https://${Server}:${Port}/packages/current/$platform/puppet-agent-$architecture.msi" $msi
  $arguments = @('/qn', '/norestart', '/log', "`"$log`"", '/i', "`"$msi`"",
    "PUPPET_SERVER=$Server", "PUPPET_MASTER_SERVER=$Server", 'PUPPET_AGENT_STARTUP_MODE=Manual')
  if ($InstallDir) { $arguments += "INSTALLDIR=`"$InstallDir`"" }
  if ($PuppetAgentAccountUser) { $arguments += "PUPPET_AGENT_ACCOUNT_USER=`"$PuppetAgentAccountUser`"" }
  if ($PuppetAgentAccountPassword) { $arguments += "PUPPET_AGENT_ACCOUNT_PASSWORD=`"$PuppetAgentAccountPassword`"" }
  if ($PuppetAgentAccountDomain) { $arguments += "PUPPET_AGENT_ACCOUNT_DOMAIN=`"$PuppetAgentAccountDomain`"" }
  if ($EnableLongPaths) { $arguments += 'ENABLE_LONG_PATHS=true' }
  $installer = Start-Process msiexec -ArgumentList $arguments -Wait -PassThru
  # Success, and success with a restart to come.
  if (@(0, 1641, 3010) -notcontains $installer.ExitCode) {
    throw "Something went wrong with the installation on $env:COMPUTERNAME. Exit code: $($installer.ExitCode). Check the install log at $log"
  }
}

function Find-Puppet {
  $base = if ($InstallDir) { $InstallDir } else { Join-Path $env:ProgramFiles 'Puppet Labs\Puppet' }
  return Join-Path $base 'bin\puppet.bat'
}

function Set-Configuration($Puppet, $Found) {
  & $Puppet config set server $Server --section main
  if ($Port -ne '8140') { & $Puppet config set serverport $Port --section main }
  $certname = (& $Puppet config print certname).ToLower()
  & $Puppet config set certname $certname --section main
  foreach ($entry in $Found.Configuration) { & $Puppet config set $entry[1] $entry[2] --section $entry[0] }
}

# Both are part of the certificate request, and have to be there before it is made.
function Write-RequestAttributes($Found) {
  if ($Found.CustomAttributes.Count + $Found.ExtensionRequests.Count -eq 0) { return }
  $lines = @('---')
  if ($Found.CustomAttributes.Count -gt 0) { $lines += @('custom_attributes:') + $Found.CustomAttributes }
  if ($Found.ExtensionRequests.Count -gt 0) { $lines += @('extension_requests:') + $Found.ExtensionRequests }
  [void] (New-Item -ItemType Directory -Force -Path $ConfDir)
  [IO.File]::WriteAllLines((Join-Path $ConfDir 'csr_attributes.yaml'), [string[]] $lines)
}

# The agent need not believe whoever answers first.
function Set-CaCertificates($Puppet) {
  $path = & $Puppet config print localcacert --section agent
  if (Test-Path $path) { return }
  [void] (New-Item -ItemType Directory -Force -Path (Split-Path $path))
  [IO.File]::WriteAllText($path, $CaCertificates)
}

if (-not $CaCertificates) {
  throw 'This script has to come from a server: https://SERVER:8140/packages/current/install.ps1'
}
$found = Read-Settings
Install-Agent
$puppet = Find-Puppet
Set-Configuration $puppet $found
Write-RequestAttributes $found
Set-CaCertificates $puppet
if ($PuppetServiceEnsure -ne 'running' -or $PuppetServiceEnable -ne 'true') {
  Write-Output "Setting the puppet service to ensure=$PuppetServiceEnsure and enable=$PuppetServiceEnable"
}
& $puppet resource service puppet "ensure=$PuppetServiceEnsure" "enable=$PuppetServiceEnable"
