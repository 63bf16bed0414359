function delta::mixed() { [mixed(), shared()] }
