function alpha::mixed() { [mixed(), shared()] }
