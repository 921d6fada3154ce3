package example.cornershop

// #region model
import androidx.lifecycle.ViewModel
import example.ferry.Ferry
import kotlinx.coroutines.flow.MutableStateFlow

class ProductViewModel : ViewModel() {
    val selection = MutableStateFlow<Product?>(null)

    fun select(product: Product) {
        selection.value = product
        Ferry.instance.track(
            "Product viewed",
            mapOf(
                "sku" to product.sku,
                "name" to product.name,
                "price" to product.price,
            ),
        )
    }
}
// #endregion model
