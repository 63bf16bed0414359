class alpha::old { notify { old_owner(): } }
