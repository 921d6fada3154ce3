package example.cornershop

import example.ferry.test.FerryRecorder
import org.junit.Assert.assertEquals
import org.junit.Rule
import org.junit.Test

class ProductViewModelTest {
    @get:Rule
    val recorder = FerryRecorder()

    @Test
    fun selectingAProductIsTracked() {
        val tea = Product(sku = "TEA-250", name = "Breakfast tea", price = 4.5)

        ProductViewModel().select(tea)

        val event = recorder.events.single()
        assertEquals("Product viewed", event.name)
        assertEquals("TEA-250", event.attributes["sku"])
        assertEquals(4.5, event.attributes["price"])
    }
}
