# Machines with client tools. Known so that code and groups may name it: this class manages nothing, and catalogs of nodes in a group with it do
# not have it.
class puppet_enterprise::profile::controller {
}
