-- in steps
-- PostgreSQL 15 reads the escape `\v` of a string as the letter v, so it cut each word of the library at its v. A
-- vertical tab is now written as chr(11).
create or replace function library_words(text) returns text[] language sql immutable parallel safe
return case
  when lower($1) !~ '[^ \t\n\r\f\v]{255}'
    then string_to_array(translate(lower($1), E'\t\n\r\f' || chr(11), '     '), ' ')
  else array(
    select substr(word, piece, 400)
    from regexp_split_to_table(lower($1), '[ \t\n\r\f\v]+') as word,
         generate_series(1, greatest(length(word) - 200, 1), 200) as piece)
end;

-- Computes the stored words of all models again, where they are wrong.
-- may block: only PostgreSQL 15 needs this, and changes of models wait for it
do $$
begin
  if current_setting('server_version_num')::integer < 160000 then
    update stl_files set title = title;
  end if;
end $$;
