type M::Nested = Optional[M::Unknown]
