// The other end of MessagePackPeer.cs: a line in is an array of bodies in hexadecimal; a line out has, for each body and each library, what it
// read, as text, and the hexadecimal digits of what it writes for that; or its error.
'use strict';
const readline = require('node:readline');
const msgpack = require('@msgpack/msgpack');
const { Packr, addExtension } = require('msgpackr');

class Extension {
  constructor(data) { this.data = data; }
}
addExtension({ Class: Extension, type: 5, pack: e => e.data, unpack: data => new Extension(Uint8Array.from(data)) });
const packr = new Packr({ useRecords: false, mapsAsObjects: false, int64AsType: 'bigint', useBigIntExtension: false, moreTypes: false });

const libraries = {
  '@msgpack/msgpack': {
    decode: body => msgpack.decode(body, { useBigInt64: true }),
    encode: value => msgpack.encode(value, { useBigInt64: true }),
  },
  msgpackr: { decode: body => packr.unpack(body), encode: value => packr.pack(value) },
};

const hex = bytes => Buffer.from(bytes).toString('hex').toUpperCase();

function number(value) {
  if (Number.isNaN(value)) return 'fNaN';
  if (Number.isInteger(value)) return 'i' + BigInt(value);
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return 'f' + hex(bits);
}

function text(value) {
  if (value === null) return 'n';
  switch (typeof value) {
    case 'boolean': return value ? 't' : 'f';
    case 'bigint': return 'i' + value;
    case 'number': return number(value);
    case 'string': return 's' + hex(Buffer.from(value, 'utf8'));
  }
  if (value instanceof Uint8Array) return 'b' + hex(value);
  if (Array.isArray(value)) return '[' + value.map(text).join(',') + ']';
  if (value instanceof Date) return 'd' + value.getTime();
  if (value instanceof msgpack.ExtData) return 'e' + value.type + ':' + hex(value.data);
  if (value instanceof Extension) return 'e5:' + hex(value.data);
  if (value === undefined) return 'u';
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return '{' + entries.map(([k, v]) => text(k) + ':' + text(v)).join(',') + '}';
}

function answer(library, body) {
  try {
    const value = library.decode(body);
    return { text: text(value), hex: hex(library.encode(value)) };
  } catch (e) {
    return { error: String(e && e.message).replace(/[^ -~]/g, '?') };
  }
}

readline.createInterface({ input: process.stdin, terminal: false }).on('line', line => {
  const bodies = JSON.parse(line).map(digits => Buffer.from(digits, 'hex'));
  const answers = {};
  for (const [name, library] of Object.entries(libraries)) answers[name] = bodies.map(body => answer(library, Uint8Array.from(body)));
  process.stdout.write(JSON.stringify(answers) + '\n');
});
