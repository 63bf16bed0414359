function gamma::mixed() { [mixed(), shared()] }
