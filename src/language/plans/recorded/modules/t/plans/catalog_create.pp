plan t::catalog_create() { create_resources('notify', {}) }
