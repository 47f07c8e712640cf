// The condition of a source line, and the direction of its branches in which it is true.
//
// Compilers negate conditions, so the app's code does not show it. The source shows it where one
// direction leads into the body of the line's `if` or loop, and another one out of it.

/** Lines of a condition and its body that are looked at. */
const BODY_LINES = 2000;

/**
 * The code of some lines, character by character, without texts and comments.
 * @param {string[]} lines @param {number} first number of the first line, from 1
 * @yields {[string, number]} a character and its line; a space for a text
 */
function* codeOf(lines, first) {
  let comment = false;
  for (let n = first; n <= Math.min(lines.length, first + BODY_LINES); n++) {
    const line = lines[n - 1];
    for (let i = 0; i < line.length; i++) {
      const two = line.slice(i, i + 2);
      if (comment) {
        if (two === '*/') [comment, i] = [false, i + 1];
      } else if (two === '//') break;
      else if (two === '/*') [comment, i] = [true, i + 1];
      else if (line[i] === '"' || line[i] === "'") {
        const quote = line[i];
        for (i++; i < line.length && line[i] !== quote; i++) if (line[i] === '\\') i++;
        yield [' ', n];
      } else yield [line[i], n];
    }
    yield ['\n', n];
  }
}

/**
 * The condition that begins on a line, if it has exactly one: its last line, the lines of its body,
 * and if braces end the body.
 * @param {string[]} lines @param {number} n
 * @returns {{last: number, from: number, to: number, braces: boolean}|undefined}
 */
function conditionAt(lines, n) {
  if (!lines[n - 1] || lines[n - 1].includes('"""')) return undefined;
  let head = '';
  for (const [c, at] of codeOf(lines, n)) if (at === n) head += c;
    else break;
  const words = [...head.matchAll(/(?<![\w.$])(if|while|for)\s*\(/g)];
  if (words.length !== 1 || /(?<![\w.$])else(?![\w$])(?!\s*if)/.test(head.slice(words[0].index))) {
    return undefined;
  }
  const begin = words[0].index + words[0][0].length;
  let at = 0,
    depth = 1,
    semicolons = 0,
    last,
    from;
  for (const [c, line] of codeOf(lines, n)) {
    if (at++ < begin) continue;
    if (last === undefined) {
      if (c === '(') depth++;
      else if (c === ')' && !--depth) [last, depth] = [line, 0];
      else if (c === ';') semicolons++;
    } else if (from === undefined) {
      if (/\s/.test(c)) continue;
      if (c === ';' || (words[0][1] === 'for' && semicolons !== 2)) return undefined;
      if (c !== '{') return { last, from: line, to: line, braces: false };
      [from, depth] = [line, 1];
    } else if (c === '{') depth++;
    else if (c === '}' && !--depth) return { last, from, to: line, braces: true };
  }
  return undefined;
}

/**
 * What is certain of a condition in each direction of a branch on its line: `true`, `false`, or
 * nothing. A direction that stays on the condition's lines leaves it open: the rest follows.
 * Where no direction leads into the body, it may be empty, or a compiler has moved its code.
 * @param {string[]} lines @param {number} n the branch's line
 * @param {(number|undefined)[]} targets the line of each direction, where it is in the same file
 * @param {(line: number) => boolean} hasCode if the app has code of a line
 */
function truths(lines, n, targets, hasCode) {
  const of = conditionAt(lines, n);
  if (!of || targets.length !== 2) return targets.map(() => '');
  const isInside = line => line > of.last && line >= of.from && line <= of.to,
    isOutside = line => line < n || line > Math.max(of.last, of.to);
  const bodyHasCode = () => {
    for (let line = Math.max(of.last + 1, of.from); line <= of.to; line++) {
      if (hasCode(line)) return true;
    }
    return false;
  };
  return targets.map((line, i) => {
    if (line === undefined) return '';
    if (isInside(line)) return 'true';
    const other = targets[1 - i];
    if (!isOutside(line) || other === undefined || isOutside(other)) return '';
    return isInside(other) || (of.braces && bodyHasCode()) ? 'false' : '';
  });
}
