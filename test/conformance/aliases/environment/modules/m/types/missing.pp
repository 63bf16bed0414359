type M::Missing = M::NotThere
