class delta::old { notify { old_owner(): } }
