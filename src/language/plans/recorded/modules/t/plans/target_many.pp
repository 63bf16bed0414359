plan t::target_many() { get_target('web') }
