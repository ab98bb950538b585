"""A pack in one file, made when it is built: compressed, and indexed so that one lookup reads one entry.

Layout, all numbers little-endian:

    header        magic, SHA-256 of the content, and where the other parts are
    slots         a hash table with open addressing: fingerprint of a key, number of a record + 1 (0: free)
    records       where each entry is, how long, of which kind, and half of its CRC-32
    dictionaries  what entries of a group of kinds have in common, for zlib
    entries       each one compressed by itself
    manifest      pack.json, compressed

Entries are compressed one by one with a dictionary per group of kinds: whole blocks would be smaller, but a lookup
would then read many entries. Figures are in docs/adr/0011-content-packs.md.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from struct import Struct, error
from typing import IO, TYPE_CHECKING, Any, TypeVar

from turnwright.content.kinds import KINDS
from turnwright.content.names import key_of, keys_of
from turnwright.content.pack import FORMAT, Found, Manifest, PackError, Row, row_of
from turnwright.model.json_types import JsonObject

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

_MAGIC = b"twpack\x00\x01"
_HEADER = Struct("<8s32s8I")
_SLOT = Struct("<HH")
_RECORD = Struct("<IIBH")
_SPAN = Struct("<II")
_GROUPS = (("monsters",), ("spells",), ("weapons", "armor", "gear", "magic_items"), ("races", "classes", "backgrounds"))
"""Kinds with similar entries share a dictionary."""
_GROUP_OF = tuple(next(at for at, group in enumerate(_GROUPS) if kind in group) for kind in KINDS)
_DICTIONARY_BYTES = 32_768
"""As far back as zlib looks."""
MAX_ENTRIES = 20_000
"""The most entries of a pack."""
MAX_ENTRY_BYTES = 262_144
"""The most bytes of an entry as JSON."""
_MAX_MANIFEST_BYTES = 1 << 16
_LEVEL = 9

T = TypeVar("T")
Entries = Mapping[str, Mapping[str, "JsonObject"]]
"""Entries by kind and id."""


def compact(value: Any) -> bytes:
    """Return JSON without spaces, non-ASCII as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def hash_of(manifest: Manifest, entries: Entries) -> str:
    """Return the SHA-256 of a pack's content: the manifest, then each entry by kind and id, a line each."""
    digest = sha256()
    for line in (manifest.as_json(), *([kind, value] for kind, value in _in_order(entries))):
        digest.update(json.dumps(line, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def _in_order(entries: Entries) -> Iterable[tuple[str, JsonObject]]:
    return ((kind, entries[kind][name]) for kind in KINDS if kind in entries for name in sorted(entries[kind]))


# writing


def compile_pack(manifest: Manifest, entries: Entries) -> bytes:
    """Return a pack as one file. The same content gives the same bytes with the same zlib."""
    listed = [(kind, value, compact(value)) for kind, value in _in_order(entries)]
    dictionaries = [_dictionary([text for kind, _, text in listed if kind in group]) for group in _GROUPS]
    blobs = [_deflated(text, dictionaries[_GROUP_OF[KINDS.index(kind)]]) for kind, _, text in listed]
    head = zlib.compress(compact(manifest.as_json()), _LEVEL)
    slots = _slots([keys_of(value) for _, value, _ in listed])

    slots_at = _HEADER.size
    records_at = slots_at + len(slots)
    dictionaries_at = records_at + _RECORD.size * len(listed)
    at = dictionaries_at + _SPAN.size * len(dictionaries)
    places = []
    for dictionary in dictionaries:
        places.append(_SPAN.pack(at, len(dictionary)))
        at += len(dictionary)
    records = []
    for (kind, _, _), blob in zip(listed, blobs, strict=True):
        records.append(_RECORD.pack(at, len(blob), KINDS.index(kind), _checksum(blob, KINDS.index(kind))))
        at += len(blob)
    header = _HEADER.pack(
        _MAGIC,
        bytes.fromhex(hash_of(manifest, entries)),
        *(slots_at, len(slots) // _SLOT.size),
        *(records_at, len(listed)),
        *(dictionaries_at, len(dictionaries)),
        *(at, len(head)),
    )
    return b"".join([header, slots, *records, *places, *dictionaries, *blobs, head])


def _dictionary(texts: Sequence[bytes]) -> bytes:
    """Return the zlib dictionary: entries sampled evenly from all of them."""
    total = sum(map(len, texts))
    if total <= _DICTIONARY_BYTES:
        return b""  # a small group would gain less than the dictionary costs
    step = max(1, round(total / _DICTIONARY_BYTES))
    return b"".join(texts[::step])[-_DICTIONARY_BYTES:]


def _deflated(data: bytes, dictionary: bytes) -> bytes:
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
    return squeeze.compress(data) + squeeze.flush()


def _slots(keys: Sequence[Sequence[str]]) -> bytes:
    """Return the hash table of the keys of each record; half of it is free, so that a search is short."""
    count = 1
    while count < 2 * sum(map(len, keys)):
        count *= 2
    table = [(0, 0)] * count
    for number, names in enumerate(keys):
        for name in names:
            place, fingerprint = _hashed(name, count)
            while table[place][1]:
                place = (place + 1) % count
            table[place] = (fingerprint, number + 1)
    return b"".join(_SLOT.pack(*slot) for slot in table)


def _hashed(key: str, count: int) -> tuple[int, int]:
    value = zlib.crc32(key.encode())
    return value % count, value >> 16


def _checksum(blob: bytes, kind: int) -> int:
    return zlib.crc32(blob, kind) & 0xFFFF


# reading


def place_of(pack: CompiledPack, kind: str, entry_id: str) -> tuple[int, int, int, int]:
    """Return where the dictionary of an entry and the entry are, each with its size, for measurements.

    Raises:
        LookupError: when there is no such entry.
    """
    for number, row in enumerate(pack.rows()):
        if (row.kind, row.id) == (kind, entry_id):
            at, size, kind_number, _ = pack.record_at(number)
            return *pack.dictionary_at(_GROUP_OF[kind_number]), at, size
    raise LookupError(f"{kind}/{entry_id}")


class CompiledPack:
    """A pack in one file. It reads nothing before the first lookup, and then only what the lookup needs."""

    def __init__(self, pack_id: str, opener: Callable[[], AbstractContextManager[IO[bytes]]]) -> None:
        """Take the id of the pack, and a function that opens its file."""
        self.id = pack_id
        self._opener = opener
        self._header: tuple[Any, ...] = ()
        self._index = b""
        self._dictionaries: dict[int, bytes] = {}
        self._records: dict[int, Found] = {}
        self._by_key: dict[str, tuple[Found, ...]] = {}
        self._rows: list[Row] | None = None
        self._manifest: Manifest | None = None

    @property
    def sha256(self) -> str:
        """The SHA-256 of its content."""
        self._reading(lambda _: None)
        digest: bytes = self._header[1]
        return digest.hex()

    @property
    def manifest(self) -> Manifest:
        """Its manifest."""
        if self._manifest is None:
            self._manifest = self._reading(lambda file: _manifest_from(_loads(self._part(file, 8))))
        return self._manifest

    def with_key(self, key: str) -> Sequence[Found]:
        """Return the entries that have this key, of any kind."""
        known = self._by_key.get(key)
        if known is None:
            known = self._by_key[key] = self._reading(lambda file: self._search(file, key))
        return known

    def entry(self, kind: str, entry_id: str) -> Found | None:
        """Return an entry by kind and id, or None."""
        return next(
            (each for each in self.with_key(key_of(entry_id)) if (each.kind, each.id) == (kind, entry_id)), None
        )

    def rows(self) -> Sequence[Row]:
        """Return every entry in short, by kind and id; the first time, this reads all entries."""
        if self._rows is None:
            self._rows = self._reading(self._all_rows)
        return self._rows

    def _reading(self, work: Callable[[IO[bytes]], T]) -> T:
        """Open the file for as long as something is read; the index is read once."""
        try:
            with self._opener() as file:
                if not self._header:
                    self._read_index(file)
                return work(file)
        except (OSError, ValueError, LookupError, TypeError, RecursionError, error, zlib.error) as problem:
            raise PackError(f"the pack {self.id} cannot be read: {problem}") from problem

    def _read_index(self, file: IO[bytes]) -> None:
        header = _HEADER.unpack(file.read(_HEADER.size))
        if header[0] != _MAGIC:
            raise ValueError("it is not a compiled pack of this version")
        dictionaries_at, count = header[6:8]
        self._index = file.read(dictionaries_at + _SPAN.size * count - _HEADER.size)
        self._header = header

    def _part(self, file: IO[bytes], field: int) -> bytes:
        at, size = self._header[field : field + 2]
        return _at(file, at, size)

    def _search(self, file: IO[bytes], key: str) -> tuple[Found, ...]:
        count = self._header[3]
        place, fingerprint = _hashed(key, count)
        found = []
        for _ in range(count):
            seen, number = _SLOT.unpack_from(self._index, place * _SLOT.size)
            if not number:
                break
            # Sixteen bits do not prove a match: the entry itself says by which keys it is found.
            if seen == fingerprint and key in keys_of((entry := self._record(file, number - 1)).value):
                found.append(entry)
            place = (place + 1) % count
        return tuple(found)

    def _all_rows(self, file: IO[bytes]) -> list[Row]:
        found = (self._inflated_record(file, number) for number in range(self._header[5]))
        return [row_of(each.kind, each.value) for each in found]

    def _record(self, file: IO[bytes], number: int) -> Found:
        known = self._records.get(number)
        if known is None:
            known = self._records[number] = self._inflated_record(file, number)
        return known

    def _inflated_record(self, file: IO[bytes], number: int) -> Found:
        at, size, kind, checksum = self.record_at(number)
        blob = _at(file, at, size)
        if _checksum(blob, kind) != checksum:
            raise ValueError(f"its entry {number} is damaged")
        stream = zlib.decompressobj(-zlib.MAX_WBITS, self._dictionary(file, _GROUP_OF[kind]))
        value = json.loads(_inflated(stream, blob, MAX_ENTRY_BYTES))
        return Found(self.id, KINDS[kind], value["id"], value)

    def _dictionary(self, file: IO[bytes], group: int) -> bytes:
        known = self._dictionaries.get(group)
        if known is None:
            known = self._dictionaries[group] = _at(file, *self.dictionary_at(group))
        return known

    def record_at(self, number: int) -> tuple[int, int, int, int]:
        """Return where an entry is, its size, the number of its kind and its checksum; the index was read."""
        at, size, kind, checksum = _RECORD.unpack_from(
            self._index, self._header[4] - _HEADER.size + number * _RECORD.size
        )
        return at, size, kind, checksum

    def dictionary_at(self, group: int) -> tuple[int, int]:
        """Return where the dictionary of a group of kinds is, and its size; the index was read."""
        at, size = _SPAN.unpack_from(self._index, self._header[6] - _HEADER.size + group * _SPAN.size)
        return at, size


def _at(file: IO[bytes], at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)


def _loads(data: bytes) -> Any:
    return json.loads(_inflated(zlib.decompressobj(), data, _MAX_MANIFEST_BYTES))


def _manifest_from(told: dict[str, Any]) -> Manifest:
    if told.pop("format") != FORMAT:
        raise ValueError("it has a format that this version does not read")
    return Manifest(**told)


def _inflated(stream: Any, data: bytes, at_most: int) -> bytes:
    """Return the decompressed bytes, and refuse data that would fill the memory."""
    text: bytes = stream.decompress(data, at_most)
    if not stream.eof:
        raise ValueError(f"a part is cut off, or longer than {at_most} bytes")
    return text
