import Ferry

@MainActor
func placeOrder(_ basket: Basket, service: OrderService) async throws {
    let order = try await service.submit(basket)

    let products = basket.items.map { item in
        FerryProduct(
            sku: item.product.sku,
            price: item.product.price,
            quantity: item.quantity
        )
    }
    Ferry.shared.trackCommerce(
        .purchase,
        orderID: order.id,
        currency: "GBP",
        total: order.total,
        products: products
    )

    basket.clear()
}
