"""The web UI of a real server: what a browser needs besides the pages themselves."""

from websockets.sync.client import connect

from tests.serving import running


def test_the_pages_of_a_server_get_their_websocket(tmp_path):
    with running(tmp_path / "m.db", pages=True) as server:
        address = server.url.replace("http:", "ws:")
        path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        with connect(address + path, origin=server.url, proxy=None) as socket:
            assert '"sid"' in socket.recv(60)
