-- in steps
-- Search without accents and with typing errors. A small table contains all words of the searched names. The search
-- finds accented and similar words in it, and then finds their rows with the indexes of the exact search.

-- A text in lower case without accents: `Nguyễn` becomes `nguyen`.
create function fold_text(said text) returns text language sql immutable strict parallel safe
-- With character type C, lower() leaves capitals beyond ASCII as they are.
return lower(translate(
  replace(replace(replace(replace(replace(replace(
    regexp_replace(normalize(said, NFKD), '[\u0300-\u036f]', '', 'g'),
    'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'),
  'øØłŁđĐı', 'oOlLdDi'));

-- The words of a text in lower case. Words with a digit are left out, because a similar number means something else.
create function search_words_of(said text) returns text[] language sql immutable strict parallel safe
return array(
  select distinct word
  from unnest(string_to_array(
    translate(lower(said), E'\t\n\r\f' || chr(11) || '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 37)), ' ')) as word
  where length(word) between 2 and 40 and word !~ '[0-9]');

-- Every word that a searched name contains or contained. A word of earlier names finds no row.
create table search_words (
  word text primary key,
  folded text not null generated always as (fold_text(word)) stored
);
create index search_words_folded on search_words (folded text_pattern_ops);
-- Trigrams of letters beyond ASCII do not exist in a database with character type C. Similar words are found by their
-- first letter and length, or by their rest after the first letter.
create index search_words_by_letter on search_words (left(folded, 1), length(folded))
  where octet_length(folded) > length(folded);
create index search_words_by_rest on search_words (substr(folded, 2)) where octet_length(folded) > length(folded);

-- Words that are similar to a mistyped word, the most similar first. Without pg_trgm, the result is empty. It is also empty
-- for a word without trigrams, for which the index would be read as a whole.
do $$
declare
  home text;
begin
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is null then
    create function similar_search_words(typed text, most integer) returns table (word text, folded text)
    language sql stable as 'select null::text, null::text where false';
  else
    execute format('create index search_words_similar on search_words using gin (folded %I.gin_trgm_ops)', home);
    execute format('create index search_words_accented on search_words using gin (folded %I.gin_trgm_ops) '
                   'where word <> folded', home);
    -- The setting can be named once the extension has been loaded.
    execute format('select %I.similarity(''a'', ''b'')', home);
    execute format(
      'create function similar_search_words(typed text, most integer) returns table (word text, folded text)
       language sql stable set pg_trgm.similarity_threshold = 0.2 as %L',
      format('select w.word, w.folded from search_words w
              where w.folded operator(%1$I.%%) typed and cardinality(%1$I.show_trgm(typed)) > 0
                and length(w.folded) between length(typed) - 2 and length(typed) + 2
              order by %1$I.similarity(w.folded, typed) desc, w.word limit most', home));
  end if;
end $$;

-- Inserts the new words in their order, so that two transactions with the same new words wait for each other and do not
-- deadlock.
create function add_search_words(said text) returns void language sql as $$
  insert into search_words (word) select word from unnest(search_words_of(said)) as word order by word
  on conflict do nothing
$$;

create function note_search_text() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.search_text is distinct from old.search_text then
    perform add_search_words(new.search_text);
  end if;
  return null;
end $$;

-- The arguments of the trigger are the columns with names.
create function note_names() returns trigger language plpgsql as $$
begin
  perform add_search_words((select string_agg(to_jsonb(new) ->> name, ' ') from unnest(tg_argv) as name));
  return null;
end $$;

-- The words are written when the transaction ends. Otherwise, another transaction with the same new word would wait for the
-- whole import of a file.
create constraint trigger items_search_words after insert or update of search_text on items
  deferrable initially deferred for each row execute function note_search_text();
create constraint trigger orders_search_words after insert or update of search_text on orders
  deferrable initially deferred for each row execute function note_search_text();
create constraint trigger products_search_words after insert or update of search_text on products
  deferrable initially deferred for each row execute function note_search_text();
create constraint trigger filaments_search_words after insert or update of material, name, color on filaments
  deferrable initially deferred for each row execute function note_names('material', 'name', 'color');
create constraint trigger vendors_search_words after insert or update of name on vendors
  deferrable initially deferred for each row execute function note_names('name');
create constraint trigger printers_search_words after insert or update of name, model on printers
  deferrable initially deferred for each row execute function note_names('name', 'model');
create constraint trigger locations_search_words after insert or update of name on locations
  deferrable initially deferred for each row execute function note_names('name');

insert into search_words (word)
select distinct word from items, unnest(search_words_of(search_text)) as word on conflict do nothing;
insert into search_words (word)
select distinct word from orders, unnest(search_words_of(search_text)) as word on conflict do nothing;
insert into search_words (word)
select distinct word from products, unnest(search_words_of(search_text)) as word on conflict do nothing;
insert into search_words (word)
select distinct word from filaments, unnest(search_words_of(concat_ws(' ', material, name, color))) as word
on conflict do nothing;
insert into search_words (word)
select distinct word from vendors, unnest(search_words_of(name)) as word on conflict do nothing;
insert into search_words (word)
select distinct word from printers, unnest(search_words_of(concat_ws(' ', name, model))) as word on conflict do nothing;
insert into search_words (word)
select distinct word from locations, unnest(search_words_of(name)) as word on conflict do nothing;
analyze search_words;
