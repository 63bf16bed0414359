type M::WrongCase = Integer
