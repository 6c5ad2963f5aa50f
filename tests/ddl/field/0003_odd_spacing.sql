alter	table

  orders
	add	column   a    int   ,add   column b int;;
