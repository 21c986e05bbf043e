// Every visible text whose contrast with what lies behind it is too low.
const parse = colour => {
  const numbers = colour.match(/[\d.]+/g).map(Number);
  return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
};
const luminance = rgb => {
  const [r, g, b] = rgb.map(channel => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};
const over = (top, below) => top.rgb.map((channel, i) => channel * top.alpha + below[i] * (1 - top.alpha));

// What lies behind an element: the backgrounds of those around it.
const behind = element => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    layers.push(parse(getComputedStyle(at).backgroundColor));
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return layers.reverse().reduce((below, layer) => over(layer, below), dark ? [18, 18, 18] : [255, 255, 255]);
};

// What lies behind a text in a drawing: the last rectangle drawn before it where it stands.
const behindInDrawing = text => {
  const place = text.getBoundingClientRect();
  const [x, y] = [(place.left + place.right) / 2, (place.top + place.bottom) / 2];
  let colour = behind(text.ownerSVGElement.parentElement);
  for (const shape of text.ownerSVGElement.querySelectorAll("rect")) {
    const isBefore = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
    const box = shape.getBoundingClientRect();
    const holds = box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    const style = getComputedStyle(shape);
    if (!isBefore || !holds || style.fill === "none" || style.visibility === "hidden") continue;
    colour = over(parse(style.fill), colour);
  }
  return colour;
};

const isSeen = element =>
  element.getClientRects().length > 0 &&
  getComputedStyle(element).visibility === "visible" &&
  !element.closest(".unseen") &&
  getComputedStyle(element).clipPath === "none";

const faint = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.data.trim() || element.closest("script, style, title, desc") || !isSeen(element)) continue;
  const style = getComputedStyle(element);
  const drawn = element instanceof SVGElement;
  const background = drawn ? behindInDrawing(element) : behind(element);
  const ink = over(parse(drawn ? style.fill : style.color), background);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const found = contrast(ink, background);
  if (found < (large ? 3 : 4.5)) faint.push(`${found.toFixed(2)}: ${node.data.trim()}`);
}
return faint;
