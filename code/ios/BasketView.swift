import Ferry
import SwiftUI

struct BasketView: View {
    @EnvironmentObject private var basket: Basket

    var body: some View {
        List(basket.items) { item in
            BasketRow(item: item)
        }
        .navigationTitle("Basket")
        .onAppear {
            Ferry.shared.trackScreen("Basket", attributes: [
                "items": basket.items.count
            ])
        }
    }
}
