-- Notifies module events of ended sessions. An event stream must end with its session at once, on every replica and for
-- every way in which a session ends. So a trigger sends the message when the row is deleted. Listeners get it when the
-- deletion commits. Browsers never get it.
create function notify_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('pegasus_sessions', old.id::text);
  return null;
end $$;
create trigger sessions_ended after delete on sessions for each row execute function notify_session_ended();

drop function create_search_index(text, text);
