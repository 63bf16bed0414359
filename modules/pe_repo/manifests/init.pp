# Which server the scripts that install agents name. The servers read the values from their groups themselves: this class manages
# nothing, and catalogs do not have it.
#
# @param master The server that agents get, from the script of the servers in this group.
# @param compile_master_pool_address The load balancer that agents get where `master` has no value.
class pe_repo (
  Optional[String[1]] $master                      = undef,
  Optional[String[1]] $compile_master_pool_address = undef,
) {
}
