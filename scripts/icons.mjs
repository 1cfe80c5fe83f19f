// Draws resources/icon.png and the tray icons anew from their drawings, with the browser that the tests use:
//   node scripts/icons.mjs
// Tray: one gate in four states that differ in shape, not only in colour. Quiet: an open arch. Waiting: a disc with the
// number. Held: two bars closing the arch. Broken: a triangle with a mark. Light stroke with a dark rim, readable on light
// and dark panels; for macOS plain black on nothing, which the system colours.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { root } from './prepare.mjs';
import { chromiumPath } from './system.mjs';

const SIZE = 22;
const ARCH = 'M3.5 19V9.5A7.5 7.5 0 0 1 11 2a7.5 7.5 0 0 1 7.5 7.5V19';
const GROUND = 'M2 19h5M15 19h5';
const MARKS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'more'];

/** Colours of the ordinary icons, and of the template that macOS draws itself. */
const PLAIN = { line: '#F4F2EC', rim: '#1D1C1A', waiting: '#2B5BB5', broken: '#C2410C', mark: '#FFFFFF' };
const TEMPLATE = { line: '#000', rim: 'none', waiting: '#000', broken: '#000', mark: null };

function tray(state, ink) {
  const stroked = (path, width) =>
    (ink.rim === 'none' ? '' : `<path d="${path}" stroke="${ink.rim}" stroke-width="${width + 2.2}"/>`) +
    `<path d="${path}" stroke="${ink.line}" stroke-width="${width}"/>`;
  const bars = state === 'held' ? stroked('M8.6 8.5v9M13.4 8.5v9', 2.2) : '';
  const gate = `<g fill="none" stroke-linecap="round" stroke-linejoin="round">${stroked(`${ARCH}${GROUND}`, 2)}${bars}</g>`;
  const rim = ink.rim === 'none' ? 'stroke="#fff" stroke-opacity="0"' : `stroke="${ink.rim}" stroke-width="1"`;
  // A template is a stencil: the mark is cut out of its ground.
  const cut = (ground, mark) =>
    ink.mark === null
      ? `<mask id="cut"><rect width="22" height="22" fill="#fff"/><g fill="#000" stroke="#000">${mark}</g></mask><g mask="url(#cut)">${ground}</g>`
      : `${ground}<g fill="${ink.mark}" stroke="${ink.mark}">${mark}</g>`;
  if (state === 'broken') {
    const ground = `<path d="M14.5 8.6 21.3 20.6H7.7Z" fill="${ink.broken}" ${rim} stroke-linejoin="round"/>`;
    return svg(
      `${gate}${cut(ground, '<path d="M14.5 12.4v3.6" stroke-width="1.7" stroke-linecap="round" fill="none"/><circle cx="14.5" cy="18.4" r=".55" stroke-width=".6"/>')}`,
    );
  }
  if (!MARKS.includes(state)) return svg(gate);
  const text = state === 'more' ? '9+' : state;
  const size = state === 'more' ? 7.6 : 10;
  const ground = `<circle cx="14.6" cy="14.6" r="6.6" fill="${ink.waiting}" ${rim}/>`;
  const digits = `<text x="14.6" y="${14.6 + size * 0.36}" font-family="DejaVu Sans" font-weight="700" font-size="${size}" text-anchor="middle" stroke="none">${text}</text>`;
  return svg(`${gate}${cut(ground, digits)}`);
}

const svg = (inner) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}">${inner}</svg>`;

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
async function draw(drawing, pixels, file) {
  await page.setViewportSize({ width: pixels, height: pixels });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${pixels}px;height:${pixels}px}</style>${drawing}`);
  writeFileSync(file, await page.screenshot({ omitBackground: true }));
}

const resources = join(root, 'resources');
await draw(readFileSync(join(resources, 'icon.svg'), 'utf8'), 512, join(resources, 'icon.png'));
rmSync(join(resources, 'tray'), { recursive: true, force: true });
mkdirSync(join(resources, 'tray'));
for (const state of ['quiet', 'held', 'broken', ...MARKS]) {
  const name = MARKS.includes(state) ? `waiting-${state}` : state;
  for (const [suffix, factor] of [
    ['', 1],
    ['@2x', 2],
  ]) {
    await draw(tray(state, PLAIN), SIZE * factor, join(resources, 'tray', `${name}${suffix}.png`));
    await draw(tray(state, TEMPLATE), SIZE * factor, join(resources, 'tray', `${name}Template${suffix}.png`));
  }
}
await browser.close();
