class gamma::old { notify { old_owner(): } }
