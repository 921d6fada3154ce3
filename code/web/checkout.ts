import { ferry } from './ferry.js';
import { submitOrder } from './orders.js';
import type { Basket } from './basket.js';

export async function placeOrder(basket: Basket): Promise<void> {
  const order = await submitOrder(basket);

  ferry.trackCommerce('purchase', {
    orderId: order.id,
    currency: 'GBP',
    total: order.total,
    products: basket.items.map(({ product, quantity }) => ({
      sku: product.sku,
      price: product.price,
      quantity,
    })),
  });

  basket.clear();
}
