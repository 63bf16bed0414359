function delta::puppet() { owner() }
