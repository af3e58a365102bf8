import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rowFor } from '../../../webview/kit/listKeys.ts';
import { ListPlace } from '../../../webview/kit/listPlace.ts';

function placeOf(first: number, end: number): ListPlace {
  const place = new ListPlace();
  place.rows = { first, end };
  place.viewHeight = 220;
  return place;
}

/** As the list does: what is drawn is where the scroll bar stands. */
function draw(place: ListPlace): void {
  place.scrollTop = place.drawn().scrollTop;
}

describe('where a long list stands', () => {
  it('is its end while it follows, whatever comes', () => {
    const place = placeOf(0, 100);
    assert.deepEqual([place.topRow, place.view(0)], [90, { first: 90, end: 100 }]);
    draw(place);
    place.rows = { first: 50, end: 200 };
    assert.deepEqual(place.view(2), { first: 188, end: 200 });
  });

  it('is what is looked at while rows come and go, once it does not follow', () => {
    const place = placeOf(0, 1000);
    place.following = false;
    place.moveTo(500);
    assert.equal(place.isMoving, true);
    draw(place);
    assert.deepEqual([place.topRow, place.isMoving], [500, false]);
    place.rows = { first: 40, end: 1300 };
    assert.equal(place.topRow, 500);
    draw(place);
    place.hold();
    place.rowHeight = 30;
    assert.equal(place.topRow, 500);
    // What was looked at is gone: then the oldest that there are.
    place.rows = { first: 600, end: 1300 };
    assert.equal(place.topRow, 600);
  });

  it('moves as little as possible to show a row', () => {
    const place = placeOf(0, 1000);
    place.following = false;
    place.moveTo(500);
    draw(place);
    assert.deepEqual([place.isInView(505), place.isInView(520)], [true, false]);
    place.reveal(520);
    assert.equal(place.topRow, 511);
    place.reveal(515);
    assert.equal(place.topRow, 511);
    place.reveal(3);
    assert.equal(place.topRow, 3);
  });

  it('tells another height only where it is another', () => {
    const place = placeOf(0, 10);
    assert.equal(place.drawn().height, 220);
    assert.equal(place.drawn().height, undefined);
    place.rows = { first: 5, end: 15 };
    assert.equal(place.drawn().height, undefined);
  });
});

describe('the keys of a long list', () => {
  const rows = { first: 100, end: 200 };
  const moves: [string, number | undefined, number | undefined][] = [
    ['ArrowDown', 150, 151],
    ['ArrowUp', 100, 100],
    ['ArrowDown', undefined, 199],
    ['ArrowUp', undefined, 199],
    ['PageDown', 195, 199],
    ['PageUp', 150, 141],
    ['Home', 150, 100],
    ['End', 150, 199],
    ['x', 150, undefined],
  ];
  for (const [key, here, to] of moves) {
    it(`${key} goes from ${here} to ${to}`, () => assert.equal(rowFor(key, here, rows, 10), to));
  }
});
