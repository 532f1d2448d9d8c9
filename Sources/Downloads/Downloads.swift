// Downloads
