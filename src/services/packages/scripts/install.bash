#!/bin/bash
# Installs the Puppet agent of this platform, configures it and starts it:
#
#   install.bash [FLAG ...] [SECTION:SETTING=VALUE ...]
#
#   --puppet-service-ensure running|stopped           what the service does afterwards (running)
#   --puppet-service-enable true|false|manual|mask    whether it starts with the machine (true)
#   --puppet-service-debug                            say how the service is managed
#   --pxp-agent yes|no                                whether the orchestrator can reach the machine (yes, where the
#                                                     server has a broker)
#   main:SETTING=VALUE                                into puppet.conf; also server, master, agent, user; main when
#                                                     no section is named
#   main:server=NAME                                  also where the packages come from
#   extension_requests:NAME=VALUE                     into csr_attributes.yaml; also custom_attributes
set -eu

# settings: what the server knows
SERVER='puppet'
PORT='8140'
BROKER_PORT=''
CA_CERTIFICATES=''
# end of settings

SERVICE_ENSURE='running'
SERVICE_ENABLE='true'
SERVICE_DEBUG=''
PXP_AGENT=''
ARGUMENT_PATTERN='^(main|server|master|agent|user|custom_attributes|extension_requests):([^=]+)=(.*)$'
SETTING_PATTERN='^[a-z][a-z0-9_]*=.*$'
declare -a CONFIGURATION=()
declare -a CUSTOM_ATTRIBUTES=()
declare -a EXTENSION_REQUESTS=()

# Where package managers and downloads find the certificates that prove the server.
CA_FILE='/etc/puppetlabs/repository-ca.pem'
# The key that the operator signs the repository with, where he does.
KEY_FILE='/etc/puppetlabs/repository-key.asc'
PXP_DIRECTORY='/opt/bunraku/pxp-agent'
# Where servers of the installation keep their certificates; agents of some packages have another place.
SERVER_SSL='/etc/puppetlabs/puppet/ssl'

fail() {
  echo >&2 "$@"
  exit 1
}

has_command() { command -v "$1" > /dev/null 2>&1; }

parse_arguments() {
  while (($# > 0)); do
    case $1 in
      --puppet-service-ensure | --puppet-service-enable)
        (($# > 1)) || fail "$1 needs a value"
        if [[ $1 == --puppet-service-ensure ]]; then SERVICE_ENSURE=$2; else SERVICE_ENABLE=$2; fi
        shift
        ;;
      --puppet-service-debug) SERVICE_DEBUG='--debug' ;;
      --pxp-agent)
        (($# > 1)) || fail "$1 needs a value"
        PXP_AGENT=$2
        shift
        ;;
      # Between settings and flags.
      --) ;;
      *) parse_setting "$1" ;;
    esac
    shift
  done
  REPOSITORY="https://${SERVER}:${PORT}/packages/current"
  [[ $SERVICE_ENSURE =~ ^(running|stopped)$ ]] ||
    fail "Invalid value '${SERVICE_ENSURE}' for --puppet-service-ensure. Expected 'running' or 'stopped'"
  [[ $SERVICE_ENABLE =~ ^(true|false|manual|mask)$ ]] ||
    fail "Invalid value '${SERVICE_ENABLE}' for --puppet-service-enable. Expected 'true', 'false', 'manual' or 'mask'"
  [[ $PXP_AGENT =~ ^(yes|no|)$ ]] || fail "Invalid value '${PXP_AGENT}' for --pxp-agent. Expected 'yes' or 'no'"
  [[ $PXP_AGENT != yes || -n $BROKER_PORT ]] || fail "${SERVER} has no broker for a PXP agent"
  if [[ -n $BROKER_PORT && $PXP_AGENT != no ]]; then PXP_AGENT=yes; fi
}

parse_setting() {
  local argument=$1
  if [[ $argument =~ $SETTING_PATTERN ]]; then argument="main:${argument}"; fi
  [[ $argument =~ $ARGUMENT_PATTERN ]] ||
    fail "Unable to interpret argument: '$1'. Expected flag or '<section>:<setting>=<value>' matching regex: '${ARGUMENT_PATTERN}'"
  local section=${BASH_REMATCH[1]} setting=${BASH_REMATCH[2]} value=${BASH_REMATCH[3]}
  # In YAML, a quote within quotes is written twice.
  local line="${setting}: '${value//\'/\'\'}'"
  case $section in
    custom_attributes) CUSTOM_ATTRIBUTES+=("$line") ;;
    extension_requests) EXTENSION_REQUESTS+=("$line") ;;
    *) CONFIGURATION+=("$section" "$setting" "$value") ;;
  esac
  case ${section}:${setting} in
    main:server | agent:server) SERVER=$value ;;
    main:serverport | main:masterport | agent:serverport | agent:masterport) PORT=$value ;;
  esac
}

detect_platform() {
  [[ $(uname -s) == Linux ]] || unsupported "$(uname -s)"
  local release=/etc/os-release name version architecture
  [[ -r $release ]] || release=/usr/lib/os-release
  [[ -r $release ]] || fail "Unknown platform"
  # shellcheck source=/dev/null
  name=$(source "$release" && echo "${ID:-}")
  # shellcheck source=/dev/null
  version=$(source "$release" && echo "${VERSION_ID:-}")
  architecture=$(uname -m)
  case $name in
    rhel | centos | rocky | almalinux | ol | oracle | scientific)
      name=el
      if [[ $(cat /proc/sys/crypto/fips_enabled 2> /dev/null) == 1 ]]; then name=redhatfips; fi
      ;;
    amzn) name=amazon ;;
    sles_sap) name=sles ;;
  esac
  # Ubuntu's releases have two numbers, Amazon's and Fedora's one; of the others the first counts.
  [[ $name == ubuntu ]] || version=${version%%.*}
  if [[ $name == ubuntu || $name == debian ]]; then
    [[ $architecture != x86_64 ]] || architecture=amd64
  elif [[ $architecture == i686 ]]; then
    architecture=i386
  fi
  PLATFORM_TAG="${name}-${version:-unstable}-${architecture}"
}

unsupported() {
  fail "This method of agent installation is not supported for $1"
}

# download URL FILE; status 1 when the server does not have it
download() {
  local status
  if has_command curl; then
    status=$(curl --silent --show-error --cacert "$CA_FILE" --write-out '%{http_code}' --output "$2" "$1") ||
      fail "Error code $? attempting to reach $1"
  elif has_command wget; then
    status=$(wget --quiet --server-response --ca-certificate="$CA_FILE" --output-document="$2" "$1" 2>&1 |
      awk '/HTTP\/1.1/ { code = $2 } END { print code }') || true
  else
    fail "Couldn't find curl or wget; unable to continue."
  fi
  case $status in
    200) return 0 ;;
    404) return 1 ;;
    *) fail "Status '${status}' attempting to reach $1" ;;
  esac
}

write_ca() {
  [[ -n $CA_CERTIFICATES ]] || fail "This script has to come from a server: https://SERVER:8140/packages/current/install.bash"
  mkdir -p "$(dirname "$CA_FILE")"
  echo "$CA_CERTIFICATES" > "$CA_FILE"
  # Package managers read it as users of their own.
  chmod 0644 "$CA_FILE"
}

find_puppet() {
  if [[ -x /opt/puppetlabs/bin/puppet ]]; then
    PUPPET=/opt/puppetlabs/bin/puppet
    FACTER=/opt/puppetlabs/bin/facter
  elif has_command puppet; then
    PUPPET=puppet
    FACTER=facter
  else
    return 1
  fi
}

install_agent() {
  local found package
  found=$(mktemp)
  if download "${REPOSITORY}/${PLATFORM_TAG}/agent-package" "$found"; then
    package=$(cat "$found")
    echo "Installing ${package} for ${PLATFORM_TAG} from ${SERVER}"
    rm -f "$found"
    hold_service
    install_from_repository "$package" || fail "Error installing ${package} from ${REPOSITORY}/${PLATFORM_TAG}"
  else
    rm -f "$found"
    hold_service
    install_from_distribution
  fi
  release_service
}

install_from_repository() {
  download "${REPOSITORY}/${PLATFORM_TAG}/repository-key.asc" "$KEY_FILE" || rm -f "$KEY_FILE"
  if [[ -f $KEY_FILE ]]; then chmod 0644 "$KEY_FILE"; fi
  if has_command apt-get; then
    add_apt_repository
    # Its dependencies may need lists that are old or absent.
    apt_get_install "$1" || { apt-get update && apt_get_install "$1"; }
  elif has_command dnf || has_command yum; then
    add_yum_repository
    yum_install "$1"
  elif has_command zypper; then
    add_zypper_repository
    zypper --non-interactive install "$1"
  else
    unsupported "$PLATFORM_TAG"
  fi
}

install_from_distribution() {
  echo "No agent packages for ${PLATFORM_TAG} on ${SERVER}, installing the distribution's own"
  if has_command apt-get; then
    apt_get_install puppet-agent || { apt-get update && apt_get_install puppet-agent; } || missing_packages
  elif has_command dnf || has_command yum; then
    yum_install openvox-agent || yum_install puppet-agent || yum_install puppet || missing_packages
  elif has_command zypper; then
    zypper --non-interactive install puppet || missing_packages
  else
    unsupported "$PLATFORM_TAG"
  fi
}

missing_packages() {
  fail "The agent packages needed to support ${PLATFORM_TAG} are not present on ${SERVER}, and the distribution has none. To add them, run 'bunraku packages add FILE' on the primary, after which you can run the install.bash script again."
}

apt_get_install() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -o Dpkg::Options::=--force-confold "$1"
}

yum_install() {
  if has_command dnf; then dnf -y install "$1"; else yum -y install "$1"; fi
}

add_apt_repository() {
  local list=/etc/apt/sources.list.d/bunraku.list
  echo "Acquire::https::${SERVER}::CaInfo \"${CA_FILE}\";" > /etc/apt/apt.conf.d/90bunraku
  # Without a key, where it comes from is proved by TLS, and what it is by the digests there.
  local trust='trusted=yes'
  if [[ -f $KEY_FILE ]]; then trust="signed-by=${KEY_FILE}"; fi
  echo "deb [${trust}] ${REPOSITORY}/${PLATFORM_TAG} ./" > "$list"
  # The operator's choice of a version is final, whatever the distribution has.
  printf 'Package: puppet-agent openvox-agent\nPin: origin "%s"\nPin-Priority: 1001\n' "$SERVER" > /etc/apt/preferences.d/bunraku
  apt-get update -o Dir::Etc::sourcelist="$list" -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=0
}

add_yum_repository() {
  cat > /etc/yum.repos.d/bunraku.repo << EOF_REPO
[bunraku]
name=Puppet agents from ${SERVER}
baseurl=${REPOSITORY}/${PLATFORM_TAG}
enabled=1
gpgcheck=0
$(signature_lines)
sslverify=1
sslcacert=${CA_FILE}
EOF_REPO
}

signature_lines() {
  echo "repo_gpgcheck=$([[ -f $KEY_FILE ]] && echo 1 || echo 0)"
  if [[ -f $KEY_FILE ]]; then echo "gpgkey=file://${KEY_FILE}"; fi
}

# It takes a directory in which certificates are found by the hashes of their subjects.
add_zypper_repository() {
  local directory=/etc/puppetlabs/repository-ca.d
  rm -rf "$directory"
  mkdir -p "$directory" /etc/zypp/repos.d
  awk -v directory="$directory" '/-BEGIN CERTIFICATE-/ { n += 1 } { print > (directory "/" n ".pem") }' "$CA_FILE"
  openssl rehash "$directory"
  cat > /etc/zypp/repos.d/bunraku.repo << EOF_REPO
[bunraku]
name=Puppet agents from ${SERVER}
baseurl=${REPOSITORY}/${PLATFORM_TAG}?ssl_verify=yes&ssl_capath=${directory}
type=rpm-md
enabled=1
autorefresh=1
gpgcheck=0
pkg_gpgcheck=0
$(signature_lines)
EOF_REPO
  # The key came from the server, which TLS has proved.
  zypper --non-interactive --gpg-auto-import-keys refresh bunraku
}

# Some packages start the agent when they are installed: before it knows its name and its server.
hold_service() {
  if [[ -d /run/systemd/system ]] && ! find_puppet; then systemctl mask --runtime --quiet puppet.service; fi
}

release_service() {
  if [[ -d /run/systemd/system ]]; then systemctl unmask --runtime --quiet puppet.service; fi
}

set_puppet() { "$PUPPET" config set "$2" "$3" --section "$1"; }

configure_agent() {
  local certname index
  set_puppet main server "$SERVER"
  [[ $PORT == 8140 ]] || set_puppet main serverport "$PORT"
  certname=$("$FACTER" networking.fqdn 2> /dev/null || hostname -f 2> /dev/null || true)
  [[ -z $certname ]] || set_puppet main certname "${certname,,}"
  for ((index = 0; index < ${#CONFIGURATION[@]}; index += 3)); do
    set_puppet "${CONFIGURATION[index]}" "${CONFIGURATION[index + 1]}" "${CONFIGURATION[index + 2]}"
  done
  share_certificate
  write_request_attributes
  place_ca
}

# A server of the installation has the certificate of this machine: the authority signs no second one for its agent.
share_certificate() {
  local certname
  certname=$("$PUPPET" config print certname --section agent)
  [[ -f ${SERVER_SSL}/private_keys/${certname}.pem && " ${CONFIGURATION[*]-} " != *' ssldir '* ]] || return 0
  set_puppet main ssldir "$SERVER_SSL"
}

# Both are part of the certificate request, and have to be there before it is made.
write_request_attributes() {
  local file entry
  ((${#CUSTOM_ATTRIBUTES[@]} + ${#EXTENSION_REQUESTS[@]} > 0)) || return 0
  file=$("$PUPPET" config print csr_attributes --section agent)
  mkdir -p "$(dirname "$file")"
  # A challenge password is a secret.
  (umask 077 && echo '---' > "$file")
  if ((${#CUSTOM_ATTRIBUTES[@]} > 0)); then
    echo 'custom_attributes:' >> "$file"
    for entry in "${CUSTOM_ATTRIBUTES[@]}"; do echo "  ${entry}" >> "$file"; done
  fi
  if ((${#EXTENSION_REQUESTS[@]} > 0)); then
    echo 'extension_requests:' >> "$file"
    for entry in "${EXTENSION_REQUESTS[@]}"; do echo "  ${entry}" >> "$file"; done
  fi
}

# The agent need not believe whoever answers first.
place_ca() {
  local file
  file=$("$PUPPET" config print localcacert --section agent)
  if [[ -s $file ]]; then return 0; fi
  mkdir -p "$(dirname "$file")"
  echo "$CA_CERTIFICATES" > "$file"
  chmod 0644 "$file"
}

stop_agent() {
  local lock
  "$PUPPET" resource service puppet ensure=stopped > /dev/null
  lock=$("$PUPPET" config print agent_catalog_run_lockfile --section agent)
  while [[ -f $lock ]]; do
    echo "Waiting for Agent run lock ${lock} to clear..."
    sleep 10
  done
}

link_commands() {
  local name
  if [[ $PUPPET != /opt/puppetlabs/bin/puppet ]]; then return 0; fi
  if ! mkdir -p /usr/local/bin 2> /dev/null || [[ ! -w /usr/local/bin ]]; then
    echo >&2 '!!! WARNING: /usr/local/bin is inaccessible; unable to create convenience symlinks. The executables may be found in /opt/puppetlabs/bin.'
    return 0
  fi
  for name in puppet facter hiera; do
    if [[ -x /opt/puppetlabs/bin/$name ]]; then ln -sf "/opt/puppetlabs/bin/${name}" "/usr/local/bin/${name}"; fi
  done
}

# The packages of Puppet Enterprise bring a PXP agent along; other machines get that of the server.
install_pxp_agent() {
  [[ $PXP_AGENT == yes ]] || return 0
  write_pxp_configuration
  if [[ ! -x /opt/puppetlabs/puppet/bin/pxp-agent ]]; then unpack_pxp_agent; fi
  if [[ -d /run/systemd/system ]]; then
    systemctl enable --quiet pxp-agent.service
    systemctl restart pxp-agent.service
  else
    echo "There is no systemd. Start the PXP agent with: ${PXP_DIRECTORY}/bin/start"
  fi
}

unpack_pxp_agent() {
  local archive unit=/etc/systemd/system/pxp-agent.service
  archive=$(mktemp)
  download "${REPOSITORY}/pxp-agent.tar.gz" "$archive" || fail "${SERVER} has no PXP agent"
  rm -rf "${PXP_DIRECTORY}.new"
  mkdir -p "${PXP_DIRECTORY}.new"
  tar -xzf "$archive" -C "${PXP_DIRECTORY}.new" --strip-components=1 --no-same-owner
  rm -rf "$archive" "$PXP_DIRECTORY"
  mv "${PXP_DIRECTORY}.new" "$PXP_DIRECTORY"
  mkdir -p "$(dirname "$unit")"
  cp "${PXP_DIRECTORY}/packaging/pxp-agent.service" "$unit"
  if [[ -d /run/systemd/system ]]; then systemctl daemon-reload; fi
}

# A configuration that is there is left alone.
write_pxp_configuration() {
  local file=/etc/puppetlabs/pxp-agent/pxp-agent.conf name value
  local -A path
  if [[ -s $file ]]; then return 0; fi
  for name in localcacert hostcert hostprivkey hostcrl; do
    value=$("$PUPPET" config print "$name" --section agent)
    path[$name]=$value
  done
  mkdir -p "$(dirname "$file")"
  cat > "$file" << EOF_PXP
{
  "broker-ws-uris": ["wss://${SERVER}:${BROKER_PORT}/pcp2/"],
  "pcp-version": "2",
  "master-uris": ["https://${SERVER}:${PORT}"],
  "ssl-ca-cert": "${path[localcacert]}",
  "ssl-cert": "${path[hostcert]}",
  "ssl-key": "${path[hostprivkey]}",
  "ssl-crl": "${path[hostcrl]}"
}
EOF_PXP
}

manage_service() {
  if [[ $SERVICE_ENSURE != running || $SERVICE_ENABLE != true ]]; then
    echo "Setting the puppet service to ensure=${SERVICE_ENSURE} and enable=${SERVICE_ENABLE}"
  fi
  # No option at all when it is empty.
  # shellcheck disable=SC2086
  "$PUPPET" resource $SERVICE_DEBUG service puppet ensure="$SERVICE_ENSURE" enable="$SERVICE_ENABLE"
}

main() {
  parse_arguments "$@"
  ((EUID == 0)) || fail 'This script must be run as root'
  detect_platform
  write_ca
  if find_puppet; then stop_agent; fi
  install_agent
  find_puppet || fail 'The agent package was installed, but has no puppet command'
  configure_agent
  link_commands
  manage_service
  install_pxp_agent
}

# On the last line: nothing runs of a script that arrived in part.
main "$@"
