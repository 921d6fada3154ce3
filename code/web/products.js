import { ferry } from './ferry.js';
import { catalogue } from './catalogue.js';

const list = document.querySelector('#products');

list.addEventListener('click', (event) => {
  const card = event.target.closest('[data-sku]');
  const product = catalogue.find((item) => item.sku === card?.dataset.sku);
  if (!product) return;

  ferry.track('Product viewed', {
    sku: product.sku,
    name: product.name,
    price: product.price,
  });
});
