function beta::mixed() { [mixed(), shared()] }
