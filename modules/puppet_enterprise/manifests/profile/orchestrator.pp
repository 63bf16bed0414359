# Servers with the orchestrator. Known so that code and groups may name it: the class manages nothing and does
# not appear in catalogs.
class puppet_enterprise::profile::orchestrator {
}
