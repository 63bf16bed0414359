type M::Self = M::Self
