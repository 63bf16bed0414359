# Values that the servers of an installation share. Known so that code and groups may name it: the class manages nothing and does
# not appear in catalogs.
class puppet_enterprise {
}
