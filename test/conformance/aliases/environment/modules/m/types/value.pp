type M::Value = 5
