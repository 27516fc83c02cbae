-- What module events hears. Streams of a session must end with it at once, on every replica and however it ended,
-- so the row itself tells; the message is seen when the deletion commits. It never reaches a browser.
create function notify_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('pegasus_sessions', old.id::text);
  return null;
end $$;
create trigger sessions_ended after delete on sessions for each row execute function notify_session_ended();

drop function create_search_index(text, text);
