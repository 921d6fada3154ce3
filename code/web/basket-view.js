import { ferry } from './ferry.js';

export function showBasket(basket) {
  const main = document.querySelector('main');
  document.title = 'Basket';
  main.replaceChildren(...basket.items.map(basketRow));

  ferry.trackScreen('Basket', {
    items: basket.items.length,
  });
}
