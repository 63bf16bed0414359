# The server that the agent installation scripts name. Servers read the values directly from their groups: the class manages
# nothing and does not appear in catalogs.
#
# @param master The server that agents get, from the script of the servers in this group.
# @param compile_master_pool_address The load balancer that agents get where `master` has no value.
class pe_repo (
  Optional[String[1]] $master                      = undef,
  Optional[String[1]] $compile_master_pool_address = undef,
) {
}
