package example.cornershop

// #region order
import example.ferry.CommerceAction
import example.ferry.Ferry
import example.ferry.FerryProduct

suspend fun placeOrder(basket: Basket, service: OrderService) {
    val order = service.submit(basket)

    val products = basket.items.map { item ->
        FerryProduct(
            sku = item.product.sku,
            price = item.product.price,
            quantity = item.quantity,
        )
    }
    Ferry.instance.trackCommerce(
        action = CommerceAction.PURCHASE,
        orderId = order.id,
        currency = "GBP",
        total = order.total,
        products = products,
    )

    basket.clear()
}
// #endregion order
