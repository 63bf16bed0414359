class beta::old { notify { old_owner(): } }
