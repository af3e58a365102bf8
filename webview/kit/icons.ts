/** Our own 16-pixel line icons, drawn in the colour of the text around them. */
const PATHS = {
  play: 'M4.5 2.8v10.4L13 8z',
  pause: 'M4.5 3v10M11.5 3v10',
  toEnd: 'M8 2v8M4.5 6.8 8 10.3l3.5-3.5M3.5 13.5h9',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.3V2.5h-8v8h2.8',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 1.8v3h-3',
  add: 'M8 3v10M3 8h10',
  remove: 'M3 4.5h10M6.2 4.3V2.8h3.6v1.5M4.3 4.7l.7 8.6h6l.7-8.6M6.8 7v4M9.2 7v4',
  up: 'M8 13V3.2M4 7l4-4 4 4',
  down: 'M8 3v9.8M4 9l4 4 4-4',
  chevron: 'M4 6.2 8 10l4-3.8',
  warning: 'M8 2.2 14.3 13.4H1.7zM8 6.5v3.2M8 11.2v.9',
  error: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  info: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 7.2v4M8 4.7v.9',
  check: 'M3 8.6l3.2 3.2L13 4.6',
  narrower: 'M2 8h4.2M4.4 5.8 6.6 8l-2.2 2.2M14 8H9.8M11.6 5.8 9.4 8l2.2 2.2',
  wider: 'M6.4 8H2M4.2 5.8 2 8l2.2 2.2M9.6 8H14M11.8 5.8 14 8l-2.2 2.2',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  toFile: 'M8 2.5v7.3M5 7l3 3 3-3M2.8 10.8v2.7h10.4v-2.7',
  again: 'M3 8a5 5 0 1 0 1.6-3.7M2.8 1.8v3h3',
  compare: 'M2.5 3.2h4.3v9.6H2.5zM9.2 3.2h4.3v9.6H9.2z',
  link: 'M6.6 9.4l2.8-2.8M7.4 4.6l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.6 11.4l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4',
  send: 'M2.5 3 13.8 8 2.5 13l1.8-5zM4.3 8h4.4',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

/** A decorative icon: what it means must also be said in words. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.append(path);
  return svg;
}
