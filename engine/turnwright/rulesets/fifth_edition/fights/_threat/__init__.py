"""How hard a fight would be: by the numbers of the rules, and by fighting it out beforehand."""
