const newNode = () => ({ children: new Map(), ends: false });

/** A set of words that can be asked by their beginnings. */
export class Trie {
  root = newNode();

  /** Adds a word. */
  add(word) {
    let node = this.root;
    for (const letter of word) {
      if (!node.children.has(letter)) node.children.set(letter, newNode());
      node = node.children.get(letter);
    }
    node.ends = true;
  }

  /** The node at the end of a beginning; null when no word begins like this. */
  walk(prefix) {
    let node = this.root;
    for (const letter of prefix) {
      node = node.children.get(letter);
      if (node === undefined) return null;
    }
    return node;
  }

  /** True for a word that was added. */
  has(word) {
    const node = this.walk(word);
    return node !== null && node.ends;
  }

  /** All words with this beginning, sorted. */
  complete(prefix) {
    const words = [];
    const collect = (node, word) => {
      if (node.ends) words.push(word);
      for (const [letter, child] of node.children) collect(child, word + letter);
    };
    const start = this.walk(prefix);
    if (start !== null) collect(start, prefix);
    return words.sort();
  }
}
