# Servers that compile catalogs. Known so that code and groups may name it: this class manages nothing, and catalogs of nodes in a group with it do
# not have it.
class puppet_enterprise::profile::master {
}
