package example.cornershop

// #region fragment
import androidx.fragment.app.Fragment
import androidx.fragment.app.activityViewModels
import example.ferry.Ferry

class BasketFragment : Fragment(R.layout.fragment_basket) {
    private val basket: BasketViewModel by activityViewModels()

    override fun onResume() {
        super.onResume()
        Ferry.instance.trackScreen(
            "Basket",
            mapOf("items" to basket.items.size),
        )
    }
}
// #endregion fragment
