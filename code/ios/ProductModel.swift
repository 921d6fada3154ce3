import Combine
import Ferry

final class ProductModel: ObservableObject {
    @Published private(set) var selection: Product?

    func select(_ product: Product) {
        selection = product
        Ferry.shared.track("Product viewed", attributes: [
            "sku": product.sku,
            "name": product.name,
            "price": product.price
        ])
    }
}
